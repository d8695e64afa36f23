import type { ModalView } from '@slack/types';

import { type Caller, type MessageRef, sameActor } from '../../model/values/actor.ts';
import { actionLabelOf } from '../../command/grammar/registry.ts';
import { handleClick } from '../../request/click.ts';
import { IgnoredClickError, isDoubleClick } from '../../request/steps/step.ts';
import { requestHere } from '../../request/click-permissions.ts';
import { checkNow } from '../../request/outcome/settle-by-hand.ts';
import { type ClickAction, isOpen, type Request, stateWord } from '../../model/records/request.ts';
import { partIds } from '../../model/records/whole.ts';
import { aboutText, cardBlock, foundText, signOf } from '../cards/card-words.ts';
import { cardButtons, cardOptions, isOver, renderCard } from '../cards/render-card.ts';
import { renderDetails } from '../cards/render-details.ts';
import { showGate } from '../forms/request-forms.ts';
import { requestMetadata } from '../forms/request-form.ts';
import type { Click } from '../receive/dispatch.ts';
import { safeLine } from '../render/text.ts';
import type { SlackContext } from '../messages/context.ts';
import { type InspectedRequest, inspectRequest } from '../../run/items.ts';
import { runCommandLine } from '../../run/run-command.ts';
import { showHome } from './home.ts';
import { answerPrivately, reportMessage, sayPrivately } from './reply.ts';

/** Handles Confirm, Cancel, Approve and Deny. The card shows the result. */
export async function handleCardButton(
  context: SlackContext,
  click: Click,
  action: ClickAction,
): Promise<void> {
  const { caller } = click.context;
  const requestId = click.action.value ?? '';
  const card = cardOf(click, requestId);
  // If this row cannot be read, the click itself reports the error.
  const seen = card && (await context.store.find(requestId).catch(() => undefined));
  if (card && seen) await context.cards.adopt(seen, card);
  await answerClick(context, click, { action, card }, async () => {
    const asks = { ...caller, requestId, action };
    const result = await handleClick(context, asks, seen);
    if (result.kind === 'done') return result.request;
    await showGate(context, asks, result, click);
    return undefined;
  });
}

/** Shows a request's state after a click that changed the request or came too late. The requester's own double click is ignored. */
export async function answerClick(
  context: SlackContext,
  click: Click,
  { action, card }: { readonly action: string; readonly card?: MessageRef | undefined },
  work: () => Promise<Request | undefined>,
): Promise<void> {
  const { actor } = click.context.caller;
  const showState = async (request: Request): Promise<void> => {
    if (card) await context.cards.removeIfStray(request, card);
    await refreshReview(context, click, request);
  };
  try {
    const request = await context.inProgress.run(actor, work);
    if (!request) return;
    await showState(request);
    await answerIfNotShown(context, click, request);
  } catch (error) {
    const { request } = error instanceof IgnoredClickError ? error : {};
    if (!request) throw error;
    await showState(request);
    if (!isDoubleClick(request, { actor, action }, context.clock.now())) throw error;
  }
}

/**
 * The card shows what a click did. The person gets a private answer only while Slack accepts no edit of the
 * card.
 */
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

/**
 * Handles “Check now” under an unknown outcome. The card shows what was found. The person who clicked gets a private answer only if
 * nothing was found, or the click was not on a card.
 */
export async function handleCheckNow(context: SlackContext, click: Click): Promise<void> {
  const { caller, responseUrl, clicked } = click.context;
  const { request, isNew } = await context.inProgress.run(caller.actor, () =>
    checkNow(context, caller, click.action.value ?? ''),
  );
  await refreshReview(context, click, request);
  const onCard = clicked !== undefined && clicked.isEphemeral !== true;
  if (!isNew || !onCard) await sayPrivately(context, { caller, responseUrl }, checkText(request));
}

function checkText({ state, outcome, target }: Request): string {
  const name = safeLine(target.name, 200);
  if (state !== 'unknown') return `Settled: ${name}, ${state}. The card has the evidence.`;
  const seen = [outcome?.look?.title, outcome?.search?.seen].filter((said) => said !== undefined);
  if (seen.length === 0)
    return `${name} could not be read just now. Try again. If it keeps failing, check the log.`;
  const found = seen.map((text) => safeLine(text.replace(/\.$/u, ''), 500)).join('. ');
  return `Checked just now. The outcome is still unknown. ${found}.${foundText(outcome?.search)}`;
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

/**
 * Handles “Review…” in a list. The view shows everything on the card and in Details, with the buttons that this person may click.
 */
export async function openInspection(
  context: SlackContext,
  { action, body, context: { caller, responseUrl } }: Click,
): Promise<void> {
  const inspected = await inspectRequest(context, caller.actor, action.value ?? '');
  await context.api.openView(body.trigger_id, await inspectionView(context, caller, inspected, responseUrl));
}

async function inspectionView(
  context: SlackContext,
  { actor, place }: Caller,
  { request, actions }: InspectedRequest,
  responseUrl: string | undefined,
): Promise<ModalView> {
  const options = { ...cardOptions(context, request), ...(await context.beside(request)) };
  const offered = new Set<string>([
    ...actions,
    ...(sameActor(request.requester, actor) ? Object.keys(context.buttons) : []),
    'check',
    'settle',
    ...(request.state === 'unknown' ? ['again'] : []),
  ]);
  const lead = renderCard(request, options).blocks.filter(({ type }) => type !== 'actions');
  return {
    ...renderDetails(request, {
      ...options,
      lead: isOver(request) ? undefined : lead,
      buttons: cardButtons(request, options).filter(({ action_id: id = '' }) => offered.has(id)),
    }),
    private_metadata: requestMetadata.write({ requestId: request.id, place, responseUrl }),
  };
}

async function refreshReview(
  context: SlackContext,
  { body: { view }, context: { caller, responseUrl } }: Click,
  request: Request,
): Promise<void> {
  const about = view?.type === 'modal' ? requestMetadata.read(view) : undefined;
  if (!view || !about) return;
  const whole = request.partOf === about.requestId ? await context.store.find(about.requestId) : undefined;
  const shown = await inspectionView(
    context,
    caller,
    { request: whole ?? request, actions: [] },
    responseUrl,
  );
  await context.api.updateView(view.id, undefined, shown);
  if (responseUrl === undefined) return showHome(context, caller);
  const words = '/bellhop requests';
  const result = await runCommandLine(context, caller, words);
  if (result.kind !== 'report') return;
  const list = reportMessage(context, result.report, { words, shareable: false });
  await answerPrivately(context, { caller, responseUrl, replaces: true }, list);
}
