import type { Entry } from '../model/registry.ts';
import type { Rules, Secrets } from '../model/context.ts';
import { BellhopError } from '../model/errors.ts';
import { isAtOrBelow } from '../model/host.ts';
import type { Values } from '../command/grammar/grammar.ts';
import type { InputFault, PreviewContext } from '../model/operation.ts';
import type { Requests } from '../model/requests.ts';
import { ownSecrets } from '../model/rulebook.ts';

/** Which of the secrets that the values name may not go where they say. */
export function bindingFaults(context: Secrets, entry: Entry, values: Values): readonly InputFault[] {
  return secretsNamed(entry, values).flatMap(({ name, label, hosts, reference }) => {
    const sentTo = hosts
      .map((field) => values[field])
      .filter((host) => typeof host === 'string' && host !== '');
    const why = refusal(context, name, reference, sentTo.map(String));
    return why === undefined ? [] : [{ field: name, text: `${label}: ${why}` }];
  });
}

/** The fields that hold a secret, each with the reference that is entered there. */
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
    return `${reference} is for Bellhop itself, so no form may send it. Enter another secret.`;
  const binding = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (!binding) {
    return context.playground
      ? undefined
      : `bellhop.yaml does not say where ${reference} may be sent. Have it listed under “secrets” there.`;
  }
  if (!binding.fields.includes(field))
    return `${reference} may not be sent in this field, only in ${binding.fields.join(', ')}.`;
  const { hosts: allowed } = binding;
  if (!allowed || hosts.every((host) => allowed.some((one) => isAtOrBelow(host.trim(), one))))
    return undefined;
  return `${reference} may be sent to ${allowed.join(', ')} only. Change the host, or enter another secret.`;
}

/** @throws BellhopError `bad-input`: some secret may not be sent as the values say */
export function refuseUnboundSecrets(context: Secrets, entry: Entry, values: Values): void {
  const [fault] = bindingFaults(context, entry, values);
  if (fault) throw new BellhopError('bad-input', `${fault.text} Nothing was sent.`);
}

/** Which of the secrets that the values name may not be sent, or do not exist. */
export function secretFaults(context: Secrets, entry: Entry, values: Values): readonly InputFault[] {
  const unbound = bindingFaults(context, entry, values);
  if (unbound.length > 0) return unbound;
  return secretsNamed(entry, values).flatMap(({ name, label, reference }) => {
    try {
      context.resolveSecret(reference);
      return [];
    } catch (error) {
      if (!(error instanceof BellhopError)) throw error;
      return [{ field: name, text: `${label}: ${error.message}` }];
    }
  });
}

interface LookingBack extends Pick<Rules, 'rulebook'> {
  readonly store: Pick<Requests, 'list'>;
}

/** What an operation may look at before it runs: what was done from here so far. */
export const lookBack = ({ store, rulebook }: LookingBack): PreviewContext => ({
  bellhop: { requests: (filter) => store.list(filter) },
  extensions: rulebook().extensions,
});

/** What stands against an input in the light of that. */
export const faultsBefore = async (
  context: LookingBack,
  { operation }: Entry,
  input: Values,
): Promise<readonly InputFault[]> => (await operation.faults?.(input, lookBack(context))) ?? [];
