import type { Context } from '../../model/ports.ts';
import type { EnteredCommand } from '../../command/grammar/grammar.ts';
import { sameActor, type Caller } from '../../model/values/actor.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { authorize } from '../../policy/authorize.ts';
import { assertRequester, requestHere } from '../../request/click-permissions.ts';
import type { Request } from '../../model/records/request.ts';
import { begunAt, eachOptions, hasParts, noSkipText } from '../../model/records/whole.ts';
import { standing } from '../../request/steps/step.ts';
import type { CardExtra } from '../../slack/cards/card-lines.ts';
import { mention, safeLine } from '../../slack/render/text.ts';
import { begin, denialOf, resolveChecked, run, type CommandResult } from '../../run/run-command.ts';
import { glassSection } from './section.ts';

export interface BreakableGlass {
  readonly request: Request;
  readonly rule: string;
  readonly approvers: readonly string[];
  /** The channel that is notified. If undefined, the request's channel is notified. */
  readonly told: string | undefined;
}

/** @throws BellhopError if the caller may not skip the approval of this request */
export async function breakableGlass(
  context: Context,
  caller: Caller,
  requestId: string,
): Promise<BreakableGlass> {
  const request = await waitingRequest(context, caller, requestId);
  const { actor } = caller;
  const command = resolveChecked(context, withBreakGlass(context, request, 'requested by a button'));
  const { decision } = await authorize(context, command, { actor, place: request.place });
  const denial = denialOf(context, command, decision);
  if (denial) throw denial;
  const { rule, approvers } = decision;
  return { request, rule, approvers, told: glassSection.of(context.rulebook()) };
}

/**
 * A new request, authorized again, replaces the old one. The requester confirms the new request.
 * @throws BellhopError
 */
export function runWithBreakGlass(
  context: Context,
  caller: Caller,
  requestId: string,
  why: string,
): Promise<CommandResult> {
  return run(context, caller, undefined, async (attempt) => {
    const request = await waitingRequest(context, caller, requestId);
    return begin(
      context,
      { ...caller, place: request.place },
      withBreakGlass(context, request, why),
      attempt,
    );
  });
}

async function waitingRequest(context: Context, caller: Caller, requestId: string): Promise<Request> {
  const found = await context.store.find(requestId);
  // The requester may click the button in a list, away from the card.
  const own = found && sameActor(found.requester, caller.actor);
  const request = own ? found : await requestHere(context, caller, requestId);
  assertRequester(request, caller.actor, 'use break-glass for');
  const begun = begunAt(request) !== undefined;
  if (request.state === 'awaiting approval' && !begun) return request;
  const why = begun && hasParts(request) ? noSkipText : `${standing(request)}. There is no approval to skip`;
  throw new BellhopError('denied', `${why}. Nothing was done.`);
}

function withBreakGlass(
  { registry }: Pick<Context, 'registry'>,
  request: Request,
  why: string,
): EnteredCommand {
  const { operation, input, reason } = request;
  const entry = registry.find(operation);
  if (entry) return { entry, values: input, options: { reason, breakGlass: why, ...eachOptions(request) } };
  throw new BellhopError(
    'unknown-command',
    `This version of Bellhop no longer has ${operation}. Nothing was done.`,
  );
}

/** The value of the button is the request's id. */
export const breakGlassAction = 'break-glass';

/** The same for all readers of the card. */
export const glassExtra: CardExtra = (request) => {
  const { requester, decision } = request;
  const { breakGlass: roles = [] } = decision;
  if (roles.length === 0 || begunAt(request) !== undefined) return undefined;
  const who = `${mention(requester)} can use *Break glass…* (${safeLine(roles.join(', '), 200)} only)`;
  return { text: 'Break glass…', action: breakGlassAction, line: `Can't wait? ${who}.` };
};
