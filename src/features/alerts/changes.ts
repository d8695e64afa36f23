import { actionLabelOf, doneWordOf } from '../../command/grammar/registry.ts';
import { findNamed } from '../../command/inventory.ts';
import { targetNamed } from '../../command/targets.ts';
import type { AfterRule } from '../../model/after.ts';
import type { Clock } from '../../model/ports.ts';
import { dueKind, type Handler } from '../../model/records/due.ts';
import type { OfferGroup, OfferMessage, Offers } from '../../model/records/offer.ts';
import { type AlertContent, readAlert } from './group/record.ts';
import { isOpen, type Request } from '../../model/records/request.ts';
import type { Requests } from '../../model/records/requests.ts';
import type { Registry } from '../../model/registry.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { targetKey } from '../../model/rulebook/target.ts';
import { rescue } from '../../model/values/errors.ts';
import { permalink } from '../../slack/cards/card-sync.ts';
import type { OfferPorts } from '../../slack/messages/offers.ts';
import { aboutText, resultText, signOf } from '../../slack/cards/card-words.ts';
import { linkTo, mention, safeLine, slackTime } from '../../slack/render/text.ts';

const threadKind = dueKind('alert thread');

export const threadRule: AfterRule = {
  due: ({ state, place: { channel, thread } }, { before, at }) =>
    thread === undefined || before?.state === state
      ? []
      : [{ kind: threadKind, key: `${channel} ${thread}`, at }],
};

interface ThreadPorts {
  readonly store: Pick<Offers, 'refreshOffer'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Marks an alert's message, and the newest message of its group, as outdated. */
export const createThreadHandler = ({ store, clock }: ThreadPorts): Handler => ({
  kind: threadKind,
  atOnce: 10,
  trouble: 'an alert could not show the changes in its thread',
  giveUpAfterMs: 24 * 60 * 60_000,
  async handle({ key }) {
    const [channel = '', ts = ''] = key.split(' ');
    await store.refreshOffer({ channel, ts }, clock.now());
    return { done: true };
  },
});

const maxShown = 3;

/** In milliseconds. A change that ended this long before the message was opened is still shown. */
const recentlyMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

/**
 * Resolves to the newest changes in the thread of an alert or of its earlier messages, and of its targets before it began,
 * oldest first.
 */
export async function changesUnder(
  store: Pick<Requests, 'list'>,
  { inventory }: Pick<Rulebook, 'inventory'>,
  { channel, ts, group, openedAt }: OfferMessage,
): Promise<readonly Request[]> {
  const content = readAlert(group?.content);
  if (!group || !content) return [];
  const { earlier = [], targets = [] } = content;
  const threads = [
    ...(ts === undefined ? [] : [{ ts, since: openedAt }]),
    ...earlier.map((one) => ({ ts: one, since: openedAt - dayMs })),
  ];
  const known = targets
    .slice(0, maxShown)
    .flatMap((name) => targetNamed(name, inventory) ?? [])
    .flatMap(({ kind, name }) => rescue(() => findNamed(inventory, kind, name)) ?? []);
  const [found, around] = await Promise.all([
    Promise.all(threads.map((thread) => store.list({ whole: true, thread, limit: maxShown }))),
    Promise.all(
      known.map((one) => store.list({ states: ['succeeded'], targetKey: targetKey(one), limit: maxShown })),
    ),
  ]);
  const under = found.flat();
  const before = around
    .flat()
    .filter(
      (one) =>
        endedBefore({ ...group, content }, one) &&
        under.every(({ id }) => id !== one.id && id !== one.partOf),
    );
  return [...under, ...before]
    .filter(({ place, endedAt = openedAt }) => place.channel === channel && endedAt >= openedAt - recentlyMs)
    .toSorted((one, other) => one.createdAt - other.createdAt)
    .slice(-maxShown);
}

/** Whether a change ended before the alert began. */
const endedBefore = (
  { status, statusAt, content }: AlertGroup,
  { endedAt = Infinity }: Pick<Request, 'endedAt'>,
): boolean => endedAt < (content.since ?? (status === 'firing' ? statusAt : 0));

/** Whether a change waits, runs, or has an outcome that no one knows yet. */
export const isUnderWay = ({ state }: Request): boolean => isOpen(state) || state === 'unknown';

/** Resolves to links to the newer message of an alert, and to the cards of changes under way in threads of earlier messages, each by its id. */
export async function linksOf(
  { api, log, store }: Pick<OfferPorts, 'api' | 'log' | 'store'>,
  { ts: thread, moved }: OfferMessage,
  changes: readonly Request[],
): Promise<Links> {
  const { newer } = moved ?? {};
  const linked = [
    ...(newer?.ts === undefined
      ? []
      : [{ id: newer.messageId, card: { channel: newer.channel, ts: newer.ts } }]),
    ...changes.filter((change) => isUnderWay(change) && change.place.thread !== thread),
  ];
  const links = linked.map(async (one) => [one.id, await permalink(api, log, one, store)] as const);
  return new Map(await Promise.all(links));
}

export type Links = ReadonlyMap<string, string | undefined>;

/** For example `*Reboot web-1* (staging)`. */
export const changeText = (registry: Registry, request: Request): string =>
  aboutText(request, actionLabelOf(registry.find(request.operation), request));

export interface AlertGroup extends OfferGroup {
  readonly content: AlertContent;
}

/** Changes before the alert began don't count. */
export function changeBefore(
  { status, statusAt, content: { since = 0, until = statusAt } }: AlertGroup,
  changes: readonly Request[],
): { readonly change: Request; readonly ms: number } | undefined {
  if (status !== 'resolved') return undefined;
  const ran = changes.flatMap((change) => {
    const { state, endedAt } = change;
    return state === 'succeeded' && endedAt !== undefined && endedAt >= since && endedAt <= until
      ? [{ change, ms: until - endedAt }]
      : [];
  });
  return ran.at(-1);
}

/** For example `40 s after *Reboot web-1* (staging)`. Undefined if no change came first. */
export function afterChange(
  registry: Registry,
  group: AlertGroup,
  changes: readonly Request[],
): readonly string[] {
  const last = changeBefore(group, changes);
  return last ? [`${durationWords(last.ms)} after ${changeText(registry, last.change)}`] : [];
}

/** For example `👉 @Alice is confirming *Reboot web-1* (staging) in the thread`. Nothing for a change that did not run. */
export function changeLine(
  registry: Registry,
  group: AlertGroup,
  request: Request,
  links: Links,
): readonly string[] {
  const { status, content } = group;
  const before = endedBefore(group, request) ? 'Before this alert: ' : '';
  const { id, place, state, requester, startedAt, createdAt, endedAt = createdAt } = request;
  const who = mention(requester);
  const what = changeText(registry, request);
  const isEarlier = content.earlier?.includes(place.thread ?? '') ?? false;
  const thread = isEarlier ? linkTo(links.get(id), 'the earlier thread') : 'the thread';
  switch (state) {
    case 'proposed':
      return [
        status === 'resolved'
          ? `👉 ${who} has not confirmed ${what} yet, see ${thread}`
          : `👉 ${who} is confirming ${what} in ${thread}`,
      ];
    case 'awaiting approval':
      return [`⏳ ${what} by ${who} needs approval in ${thread}`];
    case 'running':
      return [`🔄 ${what} by ${who}, running since ${slackTime(startedAt ?? createdAt)}`];
    case 'succeeded':
      return [before + ranLine(registry, request, `by ${who}`, slackTime(endedAt))];
    case 'failed':
      return [`${before}❌ ${what} by ${who} failed at ${slackTime(endedAt)}`];
    case 'unknown':
      return [`❓ ${what} by ${who}: outcome unknown, see ${thread}`];
    case 'cancelled':
    case 'expired':
    case 'refused':
      return [];
  }
}

/** For example `✅ *web-1* (staging) rebooted by @Alice at 09:41`. A change that was only accepted is not called done. */
function ranLine(registry: Registry, request: Request, by: string, at: string): string {
  const entry = registry.find(request.operation);
  const what = changeText(registry, request);
  const result = resultText(request, doneWordOf(entry));
  if (result !== undefined) return `${signOf(request)} ${what} ${by}: ${result}`;
  return request.outcome?.tasks?.finished && entry?.operation.doneWord !== undefined
    ? `✅ ${aboutText(request)} ${safeLine(entry.operation.doneWord, 60)} ${by} at ${at}`
    : `✅ ${what} ${by} succeeded at ${at}`;
}

/** For example `45 s`, `12 min`, `3 h 5 min` or `2 d 4 h`. */
export function durationWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const [large, small] =
    hours < 24
      ? [hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`]
      : [`${Math.floor(hours / 24)} d`, hours % 24 && `${hours % 24} h`];
  return [large, small].filter(Boolean).join(' ');
}
