import type { Actor } from '../model/actor.ts';
import { canonical } from '../audit/audit.ts';
import type { Entry } from '../registry.ts';
import type { Environment } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import { readInput } from '../grammar/grammar.ts';
import { judge, type Judgement } from './authorize.ts';
import { IgnoredPressError } from '../request/click-types.ts';
import type { Request } from '../request/request.ts';
import { bindingFaults } from './secret-bindings.ts';

/** An operation that a newer version took away has no entry any more. */
function entryFor(environment: Environment, request: Request): Entry {
  const entry = environment.catalogue.find(request.operation);
  if (entry) return entry;
  throw new IgnoredPressError(
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

export type Again =
  | ({ readonly kind: 'judged' } & Judgement)
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** It passes by itself: the request stays as it is, and when to press again, in words. */
      readonly passes?: 'then' | 'in a minute';
      /** When it ends by itself, in epoch milliseconds. */
      readonly until?: number | undefined;
    };

/** The second judgement: the target must still be what was shown, and the requester must still be let. */
export async function judgeAgain(environment: Environment, request: Request): Promise<Again> {
  const entry = entryFor(environment, request);
  const target = targetNow(environment, request, entry);
  if (target === undefined || canonical(target) !== canonical(request.target)) {
    return {
      kind: 'refused',
      reason: 'The inventory entry changed since this was shown. Ask anew to see it as it is.',
    };
  }
  const [unbound] = bindingFaults(environment, entry, request.input);
  if (unbound) return { kind: 'refused', reason: unbound.text };
  const judgement = await judge(environment, caseOf(request, entry, request.requester));
  if (judgement.decision.effect === 'deny') {
    const { explanation, until, passes, cannotTell } = judgement.decision;
    const reason = `${explanation}.`;
    if (cannotTell) return { kind: 'refused', reason, passes: 'in a minute' };
    if (passes) return { kind: 'refused', reason, passes: 'then', until };
    return { kind: 'refused', reason: `The rules no longer allow it. ${explanation}.`, until };
  }
  return { kind: 'judged', ...judgement };
}

function targetNow(environment: Environment, request: Request, entry: Entry) {
  try {
    return entry.operation.target(readInput(entry, request.input), environment.rulebook().inventory);
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    // The name is gone from the inventory, or the input no longer fits: not what was shown either way.
    return undefined;
  }
}
