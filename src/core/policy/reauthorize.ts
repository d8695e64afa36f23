import type { Actor } from '../model/actor.ts';
import { canonical } from '../audit/audit.ts';
import type { Entry } from '../registry.ts';
import type { Context } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import { readInput } from '../grammar/grammar.ts';
import { authorize, type Authorization } from './authorize.ts';
import { IgnoredClickError } from '../request/click-types.ts';
import type { Request } from '../request/request.ts';
import { bindingFaults } from './secret-bindings.ts';

/** An operation that a newer version took away has no entry any more. */
function entryFor(context: Context, request: Request): Entry {
  const entry = context.registry.find(request.operation);
  if (entry) return entry;
  throw new IgnoredClickError(
    `${request.operation} no longer exists in this version. Nothing was run.`,
    request,
  );
}

const caseOf = (request: Request, entry: Entry, actor: Actor) => ({
  entry,
  input: request.input,
  target: request.target,
  actor,
  place: request.place,
  breakGlass: request.breakGlass !== undefined,
});

export type Reauthorization =
  | ({ readonly kind: 'judged' } & Authorization)
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** It passes by itself: the request stays as it is, and when to press again, in words. */
      readonly passes?: 'then' | 'in a minute';
      /** When it ends by itself, in epoch milliseconds. */
      readonly until?: number | undefined;
    };

/** The second authorization: the target must still be what was shown, and the requester must still be let. */
export async function reauthorize(context: Context, request: Request): Promise<Reauthorization> {
  const entry = entryFor(context, request);
  const target = targetNow(context, request, entry);
  if (target === undefined || canonical(target) !== canonical(request.target)) {
    return {
      kind: 'refused',
      reason:
        'The inventory entry changed since this was shown. Run the command again to see the current one.',
    };
  }
  const [unbound] = bindingFaults(context, entry, request.input);
  if (unbound) return { kind: 'refused', reason: unbound.text };
  const authorization = await authorize(context, caseOf(request, entry, request.requester));
  if (authorization.decision.effect === 'deny') {
    const { explanation, until, passes, cannotTell } = authorization.decision;
    const reason = `${explanation}.`;
    if (cannotTell) return { kind: 'refused', reason, passes: 'in a minute' };
    if (passes) return { kind: 'refused', reason, passes: 'then', until };
    return { kind: 'refused', reason: `The rules no longer allow it. ${explanation}.`, until };
  }
  return { kind: 'judged', ...authorization };
}

function targetNow(context: Context, request: Request, entry: Entry) {
  try {
    return entry.operation.target(readInput(entry, request.input), context.rulebook().inventory);
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    // The name is gone from the inventory, or the input no longer fits: not what was shown either way.
    return undefined;
  }
}
