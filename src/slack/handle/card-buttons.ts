import type { MessageRef } from '../../model/values/actor.ts';
import { actionLabelOf } from '../../command/grammar/registry.ts';
import { handleClick } from '../../request/click.ts';
import { IgnoredClickError, isDoubleClick } from '../../request/steps/step.ts';
import { requestHere } from '../../request/click-permissions.ts';
import { checkNow } from '../../request/outcome/settle-by-hand.ts';
import { type ClickAction, isOpen, type Request, stateWord } from '../../model/records/request.ts';
import { partIds } from '../../model/records/whole.ts';
import { aboutText, cardBlock, foundText, recordText, signOf } from '../cards/card-words.ts';
import { hasChanged } from '../cards/card-lead.ts';
import { renderDetails } from '../cards/render-details.ts';
import { channelNameOf } from '../forms/request-form.ts';
import { showGate } from '../forms/request-forms.ts';
import type { Click } from '../receive/dispatch.ts';
import { safeLine } from '../render/text.ts';
import type { SlackContext } from '../messages/context.ts';
import { textMessage } from '../render/blocks.ts';
import { sayPrivately } from './reply.ts';
import { answerPress, showInReview } from './review.ts';

export async function handleCardButton(
  context: SlackContext,
  click: Click,
  action: ClickAction,
): Promise<void> {
  const { caller } = click.context;
  const requestId = click.action.value ?? '';
  const card = cardOf(click, requestId);
  // The click itself reports that the row can't be read.
  const seen = card && (await context.store.find(requestId).catch(() => undefined));
  if (card && seen) await context.cards.adopt(seen, card);
  await answerClick(context, click, { action, card }, async () => {
    const asks = { ...caller, requestId, action, channelName: channelNameOf(click) };
    const result = await handleClick(context, asks, seen);
    if (result.kind === 'done') return result.request;
    const said = await showGate(context, asks, result, click);
    if (said !== undefined) await showInReview(context, click, textMessage(said, []).blocks);
    return undefined;
  });
}

/** Shows the state after a click that changed the request or came too late. Ignores the requester's own double click. */
export async function answerClick(
  context: SlackContext,
  click: Click,
  { action, card }: { readonly action: string; readonly card?: MessageRef | undefined },
  work: () => Promise<Request | undefined>,
): Promise<void> {
  const { actor } = click.context.caller;
  try {
    const request = await context.inProgress.run(actor, work);
    if (!request) return;
    if (card) await context.cards.removeIfStray(request, card);
    await showInReview(context, click);
    await answerIfNotShown(context, click, request);
  } catch (error) {
    const { request } = error instanceof IgnoredClickError ? error : {};
    if (!request) throw error;
    if (card) await context.cards.removeIfStray(request, card);
    if (!isDoubleClick(request, { actor, action }, context.clock.now())) throw error;
    await showInReview(context, click);
  }
}

/** The card shows what a click did, so a private answer is sent only if Slack accepts no edit of the card. */
async function answerIfNotShown(
  context: SlackContext,
  { context: { caller, responseUrl, clicked } }: Click,
  request: Request,
): Promise<void> {
  const isOnCard = clicked !== undefined && clicked.isEphemeral !== true;
  if (!isOnCard || (await context.cards.shown(request.id)) === undefined) return;
  const what = aboutText(request, actionLabelOf(context.registry.find(request.operation), request));
  const text =
    `${signOf(request)} Your click counted. ${what}: ${stateWord(request)}. Slack doesn't accept changes to the card right now, ` +
    "so the card may still show its old state and buttons. Bellhop keeps trying to change it. You don't have to press again.";
  await sayPrivately(context, { caller, responseUrl }, text);
}

function cardOf({ action, context }: Click, requestId: string): MessageRef | undefined {
  const { clicked, caller } = context;
  if (!clicked || clicked.isEphemeral === true) return undefined;
  if (action.block_id !== cardBlock({ id: requestId })) return undefined;
  const { channel, thread } = caller.place;
  return { channel, ts: clicked.ts, thread };
}

/** The card shows what “Check now” found. A private answer is sent only if nothing was found, or the click was elsewhere. */
export async function handleCheckNow(context: SlackContext, click: Click): Promise<void> {
  const { caller, clicked } = click.context;
  const { request, isNew } = await context.inProgress.run(caller.actor, () =>
    checkNow(context, caller, click.action.value ?? ''),
  );
  const onCard = clicked !== undefined && clicked.isEphemeral !== true;
  if (!isNew || !onCard) await answerPress(context, click, textMessage(checkText(request, isNew), []));
}

export function checkText(request: Request, isNew: boolean): string {
  const { state, outcome, target } = request;
  const name = safeLine(target.name, 200);
  if (state !== 'unknown') return `Settled: ${name}, ${state}. The card has the evidence.`;
  const seen = [outcome?.look?.title, outcome?.search?.seen].filter((said) => said !== undefined);
  if (seen.length === 0)
    return `${name} could not be read just now. Try again. If it keeps failing, check the log.`;
  const found = seen.map((text) => safeLine(text.replace(/\.$/u, ''), 500)).join('. ');
  const { suggests, seen: evidence = '' } = outcome?.search ?? {};
  if (suggests === 'failed' && !hasChanged(request))
    return `Checked just now${isNew ? '' : ': nothing new'}. ${safeLine(evidence, 500)}${foundText(outcome?.search)} ${recordText}`;
  const next = suggests === undefined ? ` Check ${name} itself, then press *Settle…*.` : '';
  return `Checked just now. The outcome is still unknown. ${found}.${foundText(outcome?.search)}${next}`;
}

export async function openDetails(
  context: SlackContext,
  { action, body, context: { caller } }: Click,
): Promise<void> {
  const { registry, store, disclaimers } = context;
  const request = await requestHere(context, caller, action.value ?? '');
  const verb = actionLabelOf(registry.find(request.operation), request);
  const seal = isOpen(request.state) ? undefined : await store.sealOf(request);
  const singles = (await Promise.all(partIds(request).map((id) => store.find(id)))).flatMap(
    (single) => single ?? [],
  );
  await context.api.openView(body.trigger_id, renderDetails(request, { verb, seal, singles, disclaimers }));
}
