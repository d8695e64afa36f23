import { canonical } from '../audit/audit.ts';
import { resolve, type ResolvedCommand } from '../command/resolve.ts';
import type { AuthorizationContext, Rules, Secrets } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import type { Entry } from '../registry.ts';
import type { Request } from '../request/request.ts';
import { authorize, type Authorization } from './authorize.ts';
import { bindingFaults } from './secret-bindings.ts';

export type Reauthorization =
  | ({ readonly kind: 'authorized'; readonly command: ResolvedCommand } & Authorization)
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** It passes by itself: the request stays as it is, and when to click again, in words. */
      readonly passes?: 'then' | 'in a minute' | undefined;
      /** When it ends by itself, in epoch milliseconds. */
      readonly until?: number | undefined;
    };

/** The second authorization: the target must still be what was shown, and the requester must still be let. */
export async function reauthorize(
  context: AuthorizationContext & Secrets,
  entry: Entry,
  request: Request,
): Promise<Reauthorization> {
  const command = resolveAgain(context, entry, request);
  if (command === undefined || canonical(command.target) !== canonical(request.target)) {
    return {
      kind: 'refused',
      reason:
        'The inventory entry changed since this was shown. Run the command again to see the current one.',
    };
  }
  const [unbound] = bindingFaults(context, entry, request.input);
  if (unbound) return { kind: 'refused', reason: unbound.text };
  const authorization = await authorize(context, command, { actor: request.requester, place: request.place });
  const { effect, explanation, until, passes, cannotTell } = authorization.decision;
  if (effect !== 'deny') return { kind: 'authorized', command, ...authorization };
  const reason = `${explanation}.`;
  if (cannotTell) return { kind: 'refused', reason, passes: 'in a minute' };
  if (passes) return { kind: 'refused', reason, passes: 'then', until };
  return { kind: 'refused', reason: `The rules no longer allow it. ${reason}`, until };
}

/** Undefined where the name is gone from the inventory, or the input no longer fits: not what was shown either way. */
function resolveAgain(context: Rules, entry: Entry, request: Request): ResolvedCommand | undefined {
  const { input: values, reason, breakGlass } = request;
  try {
    return resolve({ entry, values, options: { reason, breakGlass } }, context.rulebook().inventory);
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return undefined;
  }
}
