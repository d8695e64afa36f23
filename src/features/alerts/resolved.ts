import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { CardPorts, Host } from '../../host/feature.ts';
import { cardKind, type Handler } from '../../model/records/due.ts';
import type { OfferContent, OfferGroup, OfferMessage, Offers } from '../../model/records/offer.ts';
import { type Request, waitingStates } from '../../model/records/request.ts';
import type { Requests } from '../../model/records/requests.ts';
import { shortName } from '../../model/records/whole.ts';
import type { Registry } from '../../model/registry.ts';
import { type Target, targetNames } from '../../model/rulebook/target.ts';
import type { CardLines } from '../../slack/cards/card-lines.ts';
import { textMessage } from '../../slack/render/blocks.ts';
import { mention, mrkdwnParts, safeLine } from '../../slack/render/text.ts';
import type { TextPart } from '../../text/parts.ts';
import { clip } from '../../text/words.ts';
import { afterChange, type AlertGroup, changeBefore, changesUnder, changeText } from './changes.ts';
import { groupOf, turnedKind } from './group/group-due.ts';
import { readAlert } from './group/record.ts';
import { titleOf } from './render.ts';

const maxCompared = 100;

/**
 * When an alert is resolved, mentions the person whose change in the alert's thread came first. When it is resolved or fires again, each
 * waiting change about it is redrawn, and its requester is mentioned in its thread.
 */
export const createTurnHandler = ({ store, registry, rulebook, api, clock, disclaimers }: Host): Handler => ({
  kind: turnedKind,
  atOnce: 10,
  trouble: 'the end of an alert, or that it fires again, could not be posted in a thread',
  giveUpAfterMs: 60 * 60_000,
  async handle(due) {
    const found = await groupOf(store, due);
    const message = found && (await store.findOffer(found.messageId));
    if (!message) return { done: true };
    const text = resolvedText(registry, message, await changesUnder(store, rulebook(), message));
    if (text !== undefined)
      await api.postMessage(message.channel, textMessage(text, disclaimers), message.ts);
    const now = clock.now();
    for (const change of await waitingOn(store, found.content, message)) {
      const { id: key, card, place } = change;
      // A card that another process is still posting will show the alert's state by itself. Making it due here could
      // post it twice.
      if (card) await store.countDue({ kind: cardKind, key, at: now }, now);
      const alert = await turnedAlert(store, change);
      if (alert?.id !== found.id) continue;
      const said = textMessage(waitingText(registry, alert, change), disclaimers);
      await api.postMessage(place.channel, said, place.thread);
    }
    return { done: true };
  },
});

async function waitingOn(
  store: Pick<Requests, 'list'>,
  content: OfferContent,
  { channel, ts }: OfferMessage,
): Promise<readonly Request[]> {
  const waiting = await store.list({ states: waitingStates, whole: true, limit: maxCompared });
  return waiting.filter(
    ({ place: { thread, channel: its }, target }) =>
      thread !== undefined && ((thread === ts && its === channel) || isOn(content, target)),
  );
}

function isOn(content: OfferContent, target: Target): boolean {
  const { targets, on = targets } = readAlert(content) ?? {};
  return targetNames(target).some((name) => on?.includes(name));
}

/**
 * Resolves to the alert that began the change's thread, if the alert is resolved, or fires again since the request. An
 * alert that fires again can have a newer message, so any alert on the same target that began after the request counts.
 */
async function turnedAlert(
  store: Pick<Offers, 'findOfferAt' | 'firingOffers'>,
  { place: { channel, thread: ts }, target, createdAt }: Request,
): Promise<AlertGroup | undefined> {
  const message = ts === undefined ? undefined : await store.findOfferAt({ channel, ts });
  if (!message) return undefined;
  const own = alertOf(message.group);
  if (own?.status === 'firing') return own.statusAt > createdAt ? own : undefined;
  const firing = await store.firingOffers(maxCompared);
  const again = firing
    .flatMap(({ group }) => alertOf(group) ?? [])
    .find(({ content, statusAt }) => (content.since ?? statusAt) > createdAt && isOn(content, target));
  return again ?? own;
}

function alertOf(group: OfferGroup | undefined): AlertGroup | undefined {
  const content = readAlert(group?.content);
  return group && content && { ...group, content };
}

/** For example `🔴 InstanceDown on web-1 has been firing since 21:04.` */
const againParts = (
  { content, statusAt }: AlertGroup,
  { createdAt }: Pick<Request, 'createdAt'>,
): readonly TextPart[] => {
  const { since = 0 } = content;
  return [
    `🔴 ${clip(titleOf(content), 70)} has been firing since `,
    { at: since > createdAt ? since : statusAt },
    '.',
  ];
};

/** For example `@Alice ✅ DiskFull on db-1: resolved 40 s after *Reboot db-1* (production).` */
export function resolvedText(
  registry: Registry,
  { group }: OfferMessage,
  changes: readonly Request[],
): string | undefined {
  const alert = alertOf(group);
  const last = alert && changeBefore(alert, changes);
  return (
    last && `${titleFor(last.change, alert)}: resolved ${afterChange(registry, alert, changes).join('')}.`
  );
}

const titleFor = ({ requester }: Request, { content }: AlertGroup): string =>
  `${mention(requester)} ✅ ${safeLine(titleOf(content), 300)}`;

function waitingText(registry: Registry, alert: AlertGroup, change: Request): string {
  const what = changeText(registry, change);
  const waits =
    change.state === 'proposed' ? `You have not confirmed ${what}` : `${what} still needs approval`;
  return alert.status === 'firing'
    ? `${mention(change.requester)} ${mrkdwnParts(againParts(alert, change), 400)} ${waits}.`
    : `${titleFor(change, alert)} is resolved. ${waits}; cancel it if it is not needed.`;
}

export const turnedLines =
  ({ store, registry }: CardPorts): CardLines =>
  async (request) => {
    const alert = await turnedAlert(store, request);
    if (!alert) return [];
    if (alert.status === 'firing') return [againParts(alert, request)];
    const { content, statusAt } = alert;
    const verb = actionLabelOf(registry.find(request.operation), request);
    const at = content.until ?? statusAt;
    return [['✅ The alert was resolved ', { at }, `. Still ${verb} ${shortName(request)}?`]];
  };
