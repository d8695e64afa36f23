import type { Caller, MessageRef } from '../../model/actor.ts';
import { actionLabelOf } from '../../command/grammar/registry.ts';
import { handleClick } from '../../request/click.ts';
import { IgnoredClickError, isDoubleClick } from '../../request/steps/step.ts';
import { requestHere } from '../../request/click-permissions.ts';
import { checkNow } from '../../request/outcome/settle-by-hand.ts';
import { type ClickAction, isOpen, type Request, type RolloutAction } from '../../model/request.ts';
import { handleRolloutClick } from '../../request/rollout/press.ts';
import { cardBlock } from '../cards/card-words.ts';
import { readRolloutValue } from '../cards/rollout-card.ts';
import { renderDetails } from '../cards/render-details.ts';
import { offerSignIn } from '../forms/request/sign-in.ts';
import { openDenial, openTypeName } from '../forms/request/text-forms.ts';
import type { Click } from '../receive/payloads.ts';
import { textMessage } from '../render/blocks.ts';
import { safeLine } from '../render/text.ts';
import type { SlackContext } from '../messages/context.ts';
import { runAgain } from '../../run/run-command.ts';
import { answerCommand } from './command.ts';
import { answerPrivately, showResult } from './reply.ts';
import { refreshReview } from './inspect-button.ts';

/** Confirm, Cancel, Approve, Deny. The card sync changes the card itself. */
export async function handleCardButton(
  context: SlackContext,
  click: Click,
  caller: Caller,
  action: ClickAction,
): Promise<void> {
  const { actor, place, correlationId } = caller;
  const requestId = click.action.value ?? '';
  const card = cardOf(click, requestId);
  if (card) await context.cards.adopt(requestId, card);
  try {
    const asks = { requestId, action, actor, place, correlationId, denial: 'ask' as const };
    const result = await context.inProgress.run(actor, () => handleClick(context, asks));
    if (result.kind === 'sign-in') return await offerSignIn(context, caller, result);
    const { kind, request } = result;
    if (kind === 'type-name') return await openTypeName(context, click, request);
    if (kind === 'denial') return await openDenial(context, click, request);
    if (card) await context.cards.removeIfStray(request, card);
    await refreshReview(context, click, caller, request);
  } catch (error) {
    const { request } = error instanceof IgnoredClickError ? error : {};
    if (!request) throw error;
    if (card) await context.cards.removeIfStray(request, card);
    await refreshReview(context, click, caller, request);
    if (!isDoubleClick(request, { actor, action }, context.clock.now())) throw error;
  }
}

/** Continue, Stop. The card sync changes the card itself. */
export async function handleRolloutButton(
  context: SlackContext,
  click: Click,
  caller: Caller,
  action: RolloutAction,
): Promise<void> {
  const { actor } = caller;
  const about = { ...caller, ...readRolloutValue(click.action.value ?? ''), action };
  try {
    const request = await context.inProgress.run(actor, () => handleRolloutClick(context, about));
    await refreshReview(context, click, caller, request);
  } catch (error) {
    const { request } = error instanceof IgnoredClickError ? error : {};
    if (!request || !isDoubleClick(request, { actor, action }, context.clock.now())) throw error;
  }
}

/** The clicked message, if it is the request's card. */
function cardOf({ action, clicked, place }: Click, requestId: string): MessageRef | undefined {
  if (!clicked || clicked.isEphemeral === true) return undefined;
  if (action.block_id !== cardBlock({ id: requestId })) return undefined;
  return { channel: place.channel, ts: clicked.ts, thread: place.thread };
}

/** “Run it again” under an ended request makes a new request, authorized again. */
export async function handleRunAgain(
  context: SlackContext,
  { action, body, responseUrl }: Click,
  caller: Caller,
): Promise<void> {
  await answerCommand(
    context,
    { caller, responseUrl },
    {
      run: (as) => runAgain(context, as, action.value ?? ''),
      show: (to, result) => showResult(context, to, body.trigger_id, result),
    },
  );
}

/** “Check now” under an unknown outcome. The card shows the result; the person who clicked gets a private answer. */
export async function handleCheckNow(context: SlackContext, click: Click, caller: Caller): Promise<void> {
  const { action, responseUrl } = click;
  const request = await context.inProgress.run(caller.actor, () =>
    checkNow(context, caller, action.value ?? ''),
  );
  await refreshReview(context, click, caller, request);
  await answerPrivately(context, { caller, responseUrl }, () =>
    textMessage(checkText(request), context.notices),
  );
}

/** The answer to “Check now”. */
function checkText({ state, outcome, target }: Request): string {
  const name = safeLine(target.name, 200);
  if (state !== 'unknown') return `Settled: ${name}, ${state}. The card has the evidence.`;
  const seen = [outcome?.look?.title, outcome?.search?.seen].filter((said) => said !== undefined);
  if (seen.length === 0)
    return `${name} could not be read just now. Try again; if it keeps failing, the log says why.`;
  const found = seen.map((text) => safeLine(text.replace(/\.$/u, ''), 500)).join('. ');
  return `Checked just now, outcome still unknown. ${found}.`;
}

/** “Details” under a card. */
export async function openDetails(
  context: SlackContext,
  { action, body }: Click,
  caller: Caller,
): Promise<void> {
  const request = await requestHere(context, caller, action.value ?? '');
  const verb = actionLabelOf(context.registry.find(request.operation), request);
  const seal = isOpen(request.state) ? undefined : await context.store.sealOf(request);
  const singles = await singlesOf(context, request);
  await context.api.openView(
    body.trigger_id,
    renderDetails(request, { verb, seal, singles, notices: context.notices }),
  );
}

/** The single requests of a rollout, in the order of its targets. */
async function singlesOf({ store }: SlackContext, { rollout }: Request): Promise<readonly Request[]> {
  const ids = rollout?.lines.flatMap(({ request }) => request ?? []) ?? [];
  const found = await Promise.all(ids.map((id) => store.find(id)));
  return found.flatMap((single) => single ?? []);
}
