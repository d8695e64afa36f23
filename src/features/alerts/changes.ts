import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { AfterRule } from '../../model/after.ts';
import type { Clock } from '../../model/ports.ts';
import { dueKind, type Handler } from '../../model/records/due.ts';
import type { OfferMessage, Offers } from '../../model/records/offer.ts';
import type { Request } from '../../model/records/request.ts';
import type { Requests } from '../../model/records/requests.ts';
import type { Registry } from '../../model/registry.ts';
import { aboutText } from '../../slack/cards/card-words.ts';
import { mention, slackTime } from '../../slack/render/text.ts';

const threadKind = dueKind('alert thread');

/** A change in a thread may be about the alert that began the thread. */
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

/** Makes the alert show the changes in its thread, within the pauses that edits of an alert keep. */
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

/** This many of the newest requests are searched, so that the edit of an alert stays cheap. */
const searched = 50;
const maxShown = 3;

/** Resolves to the newest changes in the thread of an alert, oldest first. */
export async function changesUnder(
  store: Pick<Requests, 'list'>,
  { channel, ts, group, openedAt }: OfferMessage,
): Promise<readonly Request[]> {
  if (ts === undefined || !group) return [];
  const newest = await store.list({ whole: true, limit: searched });
  return newest
    .filter(
      ({ place, createdAt }) => place.channel === channel && place.thread === ts && createdAt >= openedAt,
    )
    .slice(0, maxShown)
    .toReversed();
}

/** For example `*Reboot web-1* (staging)`. */
export const changeText = (registry: Registry, request: Request): string =>
  aboutText(request, actionLabelOf(registry.find(request.operation), request));

/** For example `👉 @Alice is confirming *Reboot web-1* (staging) in the thread`. Nothing for a change that did not run. */
export function changeLine(registry: Registry, request: Request): readonly string[] {
  const { state, requester, startedAt, createdAt, endedAt = createdAt } = request;
  const who = mention(requester);
  const what = changeText(registry, request);
  switch (state) {
    case 'proposed':
      return [`👉 ${who} is confirming ${what} in the thread`];
    case 'awaiting approval':
      return [`⏳ ${what} by ${who} needs approval in the thread`];
    case 'running':
      return [`🔄 ${what} by ${who}, running since ${slackTime(startedAt ?? createdAt)}`];
    case 'succeeded':
      return [`✅ ${what} by ${who} succeeded at ${slackTime(endedAt)}`];
    case 'failed':
      return [`❌ ${what} by ${who} failed at ${slackTime(endedAt)}`];
    case 'unknown':
      return [`❓ ${what} by ${who}: outcome unknown, see the thread`];
    case 'cancelled':
    case 'expired':
    case 'refused':
      return [];
  }
}
