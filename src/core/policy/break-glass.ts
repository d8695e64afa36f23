import type { Context } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import { DeniedError, whoHolds } from './authorize.ts';
import type { Decision } from './policy.ts';

/** Why `--break-glass` would do nothing here: whoever breaks the glass must not believe that it is broken. */
export function uselessBreakGlass(context: Context, decision: Decision): BellhopError | undefined {
  const { approvalSkipped, effect, rule, breakGlass = [], approvers } = decision;
  if (approvalSkipped) return undefined;
  if (effect !== 'approve') {
    const text = 'No approval is needed for this here: ask again without --break-glass. Nothing was done.';
    return new BellhopError('bad-input', text);
  }
  const whom = breakGlass.length === 0 ? 'lets nobody break the glass' : 'does not let you break the glass';
  const instead = `Ask without --break-glass: then ${approvers.join(' or ')} can approve it.`;
  const text = `${rule.charAt(0).toUpperCase()}${rule.slice(1)} ${whom}. ${instead} Nothing was done.`;
  return new DeniedError(text, rule, whoHolds(context, breakGlass));
}
