import { type Reach, type Rules, type Secrets, within } from '../model/ports.ts';
import { badInput, badConfiguration, BellhopError, rescue } from '../model/values/errors.ts';
import type { FormContext, RunContext, InputFault, PreviewContext } from '../model/operation.ts';
import type { Entry } from '../model/registry.ts';
import { accountOf, type Target, targetKey } from '../model/rulebook/target.ts';
import { ownSecrets, namesOperation } from '../model/rulebook/rulebook.ts';
import { isAtOrBelow } from '../text/host.ts';
import type { Values } from '../command/grammar/grammar.ts';
import type { Requests } from '../model/records/requests.ts';

type Call = Pick<FormContext, 'correlationId' | 'signal'> &
  Partial<Pick<RunContext, 'maySend'>> & {
    readonly once?: boolean | undefined;
    /** The target decides the account. Without a target, the default account is used. */
    readonly target?: Target | undefined;
    /** The values as entered. Secrets that these fields name may be resolved. */
    readonly values?: Readonly<Record<string, unknown>> | undefined;
  };

export function reachOf(
  context: Reach,
  entry: Entry,
  { values = {}, maySend, target, ...call }: Call,
): FormContext {
  const { name: operation } = entry.operation;
  const { timeoutMs } = context.rulebook();
  const entered = new Set(entry.fields.flatMap(({ name, secret }) => (secret ? [values[name]] : [])));
  return {
    ...call,
    service: context.serviceOf(target && accountOf(target)),
    http: context.http({ ...call, operation, maySend, timeoutMs }),
    secret(typed) {
      const reference = `secret:${typed.replace(/^secret:/u, '')}`;
      if (!entered.has(reference)) refuseUnlisted(context, operation, reference);
      return context.resolveSecret(reference);
    },
  };
}

/** @throws BellhopError `configuration` if bellhop.yaml does not allow the operation to use this secret */
function refuseUnlisted(context: Reach, operation: string, reference: string): void {
  const rulebook = context.rulebook();
  const name = reference.slice('secret:'.length);
  const refuse = (why: string): never => {
    throw badConfiguration(`${reference} ${why} Nothing was sent.`);
  };
  if (ownSecrets(rulebook).has(name)) refuse('is reserved for Bellhop itself. Use another.');
  const { operations = [] } = (Object.hasOwn(rulebook.secrets, name) && rulebook.secrets[name]) || {};
  if (operations.some((pattern) => namesOperation(pattern, operation))) return;
  if (!context.production && operations.length === 0) return;
  refuse(
    `may not be used by ${operation}: bellhop.yaml does not list it. Add secrets: { ${name}: { operations: [${operation}] } }.`,
  );
}

/**
 * Stops waiting for work that takes longer than a read may.
 * @throws the error that `late` makes from the milliseconds waited
 */
export async function inTime<T>(
  { clock, rulebook }: Pick<Rules, 'clock' | 'rulebook'>,
  work: (signal: AbortSignal) => Promise<T>,
  late: (waitedMs: number) => Error,
): Promise<T> {
  const { readTimeoutMs } = rulebook();
  const read = await within(clock, readTimeoutMs, async (signal) => ({ value: await work(signal) }));
  if (!read) throw late(readTimeoutMs);
  return read.value;
}

export function bindingFaults(context: Secrets, entry: Entry, values: Values): readonly InputFault[] {
  return secretsNamed(entry, values).flatMap(({ name, label, hosts, reference }) => {
    const sentTo = hosts
      .map((field) => values[field])
      .filter((host) => typeof host === 'string' && host !== '');
    const why = refusal(context, name, reference, sentTo.map(String));
    return why === undefined ? [] : [{ field: name, text: `${label}: ${why}` }];
  });
}

const secretsNamed = ({ fields }: Entry, values: Values) =>
  fields.flatMap(({ name, label, secret, hosts }) => {
    const entered = values[name];
    const reference = secret && typeof entered === 'string' ? entered.trim() : '';
    return reference === '' ? [] : [{ name, label, hosts, reference }];
  });

function refusal(
  context: Secrets,
  field: string,
  reference: string,
  hosts: readonly string[],
): string | undefined {
  const rulebook = context.rulebook();
  const { secrets } = rulebook;
  const name = reference.replace(/^secret:/u, '');
  if (ownSecrets(rulebook).has(name))
    return `${reference} is reserved for Bellhop itself. Enter another secret.`;
  const binding = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (!binding) {
    return context.playground
      ? undefined
      : `bellhop.yaml doesn't allow ${reference} to be sent anywhere. Add it under “secrets” there.`;
  }
  if (!binding.fields.includes(field))
    return `${reference} can't be used in this field, only in ${binding.fields.join(', ')}.`;
  const { hosts: allowed } = binding;
  if (!allowed || hosts.every((host) => allowed.some((one) => isAtOrBelow(host.trim(), one))))
    return undefined;
  return `${reference} can only be sent to ${allowed.join(', ')}. Change the host, or enter another secret.`;
}

/** @throws BellhopError `bad-input` if a secret may not be sent with these values */
export function refuseUnboundSecrets(context: Secrets, entry: Entry, values: Values): void {
  const [fault] = bindingFaults(context, entry, values);
  if (fault) throw badInput(`${fault.text} Nothing was sent.`);
}

export function secretFaults(context: Secrets, entry: Entry, values: Values): readonly InputFault[] {
  const unbound = bindingFaults(context, entry, values);
  if (unbound.length > 0) return unbound;
  return secretsNamed(entry, values).flatMap(({ name, label, reference }) => {
    const problem = rescue(
      () => void context.resolveSecret(reference),
      ({ message }) => message,
    );
    return problem === undefined ? [] : [{ field: name, text: `${label}: ${problem}` }];
  });
}

interface LookingBack extends Pick<Rules, 'clock' | 'rulebook'> {
  readonly store: Pick<Requests, 'list'>;
}

const mostEarlier = 50;

/** The last requests of an operation that ran, newest first, for the target that the values name. */
export const lookBack = (
  { store, rulebook }: LookingBack,
  { operation }: Entry,
  values: Values,
): PreviewContext => ({
  extensions: rulebook().extensions,
  async earlier() {
    const target = rescue(() => operation.target(values, rulebook().inventory));
    if (!target) return [];
    const newest = await store.list({
      states: ['succeeded', 'unknown'],
      targetKey: targetKey(target),
      operation: operation.name,
      limit: mostEarlier,
    });
    return newest.map(({ id, state, input, createdAt, endedAt }) => ({
      id,
      state: state === 'unknown' ? state : 'succeeded',
      input,
      createdAt,
      endedAt,
    }));
  },
});

/** The faults of an input, found with the help of earlier requests. @throws BellhopError if that takes too long */
export const faultsBefore = async (
  context: LookingBack,
  entry: Entry,
  input: Values,
): Promise<readonly InputFault[]> =>
  (await inTime(
    context,
    async () => entry.operation.faults?.(input, lookBack(context, entry, input)),
    () =>
      new BellhopError('not-sent', `The check of ${entry.operation.name} took too long. Nothing was done.`),
  )) ?? [];
