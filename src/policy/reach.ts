import type { Reach } from '../model/ports.ts';
import { BellhopError } from '../model/errors.ts';
import type { FormContext, RunContext } from '../model/operation.ts';
import type { Entry } from '../model/registry.ts';
import { accountOf, type Target } from '../model/target.ts';
import { ownSecrets } from '../model/rulebook.ts';
import { namesOperation } from './match-rule.ts';

/** The call of an operation. */
type Call = Pick<FormContext, 'correlationId' | 'signal'> &
  Partial<Pick<RunContext, 'maySend'>> & {
    /** Decides the account. Undefined if nothing is decided yet: the default one. */
    readonly target?: Target | undefined;
    /** As entered. Secrets that these fields name may be resolved. */
    readonly values?: Readonly<Record<string, unknown>> | undefined;
  };

/** The context of an operation for one command. */
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

/** @throws BellhopError `configuration`: bellhop.yaml does not let the operation have it */
function refuseUnlisted(context: Reach, operation: string, reference: string): void {
  const rulebook = context.rulebook();
  const name = reference.slice('secret:'.length);
  const refuse = (why: string): never => {
    throw new BellhopError('configuration', `${reference} ${why} Nothing was sent.`);
  };
  if (ownSecrets(rulebook).has(name))
    refuse('is for Bellhop itself, so no operation may have it. Use another.');
  const { operations = [] } = (Object.hasOwn(rulebook.secrets, name) && rulebook.secrets[name]) || {};
  if (operations.some((pattern) => namesOperation(pattern, operation))) return;
  if (!context.production && operations.length === 0) return;
  refuse(
    `may not be used by ${operation}: bellhop.yaml does not list it. Add secrets: { ${name}: { operations: [${operation}] } }.`,
  );
}
