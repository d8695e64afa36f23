import { z } from 'zod';

import type { Host } from '../../host/feature.ts';
import { type DueDraft, dueKind, type Handler, setBackKind } from '../../model/records/due.ts';
import { type MessageRef, messageRef, samePerson } from '../../model/values/actor.ts';
import { noReply, replyDue } from '../../slack/messages/replies.ts';
import { mention, safeLine, slackTime } from '../../slack/render/text.ts';
import { editOrPost } from '../../slack/web-api/deliver.ts';
import { changeEach, ended, type HoldStep } from './change.ts';
import { type Hold, holdKind, inForce, longestHold, meets, readHold, whatOf } from './hold.ts';
import { alsoText, renderHold } from './render.ts';
import { heldToo } from './select.ts';

/** Stores where the message of a hold is, and which version of the hold it shows. */
const shownKind = dueKind('hold message');
const shownRow = z
  .object({
    message: messageRef,
    version: z.number(),
    /** The ids of the other holds that the message shows. The holder was notified of each that began later. */
    also: z.array(z.string()).optional(),
  })
  .optional();

const setBackRow = z.object({ at: z.number() }).default({ at: 0 });

/** In milliseconds before the end. */
const reminderMs = 10 * 60_000;
const againMs = 10_000;
/** In milliseconds. What waited for the end of a hold finds in this time who ended it. */
const endedForMs = 60_000;
/** In milliseconds. A restore of the store, or a wrong clock, is noticed within this time. */
const lookMs = 5 * 60_000;
/** In milliseconds. A clock that is this far before the beginning of the hold was set back. */
const marginMs = 60_000;

type HoldPorts = Pick<Host, 'api' | 'store' | 'clock' | 'clockIsRight' | 'rulebook' | 'disclaimers'>;

export const createHoldHandler = (ports: HoldPorts): Handler => ({
  kind: holdKind,
  atOnce: 10,
  trouble: 'a hold could not be shown',
  async handle(due) {
    const { store, clock, clockIsRight } = ports;
    const hold = readHold(due);
    const { at: setBackAt } = setBackRow.parse((await store.findDue(setBackKind, setBackKind))?.about);
    const byItself = (one: Hold, now: number) => stepOf(one, now, clockIsRight(), setBackAt);
    if (!hold.ended && byItself(hold, clock.now())) {
      await changeEach(ports, [hold], byItself);
      return { againIn: 0 };
    }
    await showHold(ports, hold);
    const keptMs = hold.ended && hold.ended.at + endedForMs - clock.now();
    if (keptMs !== undefined && keptMs > 0) return { againIn: Math.min(keptMs, endedForMs) };
    if (hold.ended)
      return { done: true, next: [{ kind: shownKind, key: hold.id, at: undefined, ends: true }] };
    const left = hold.until - clock.now();
    return { againIn: hold.uncertain === 'clock' || left <= 0 ? againMs : Math.min(left, lookMs) };
  },
});

function stepOf(hold: Hold, now: number, isRight: boolean, setBackAt: number): HoldStep | undefined {
  const { since, until, uncertain } = hold;
  // The restore may have lost a later end. No hold can last longer than this after the restore.
  if (setBackAt > since && uncertain !== 'restored')
    return { hold: { ...hold, uncertain: 'restored', until: Math.max(until, setBackAt + longestHold) } };
  const isOver = now >= until;
  if (isOver && isRight) return ended(hold, { how: 'time', at: now });
  const isWrong = isOver || now < since - marginMs;
  return isWrong && uncertain === undefined ? { hold: { ...hold, uncertain: 'clock' } } : undefined;
}

async function showHold(ports: HoldPorts, hold: Hold): Promise<void> {
  const { api, store, clock, rulebook, disclaimers } = ports;
  const { id: key, version } = hold;
  const shown = shownRow.parse((await store.findDue(shownKind, key))?.about);
  if (shown && shown.version >= version) return;
  // The process that began the hold may have died before it called `reconsider`.
  if (!shown && !hold.ended) await store.reconsider((target) => meets(hold.selector, target), clock.now());
  const too = heldToo(hold, inForce(await store.lasting(holdKind)), rulebook().inventory);
  const drawn = renderHold(hold, disclaimers, too);
  const post = () => api.postMessage(hold.place.channel, drawn);
  const message = await editOrPost(api, shown?.message, drawn, post);
  const now = clock.now();
  const { also } = shown ?? {};
  const newer = too.filter(({ id, since }) => (also ? !also.includes(id) : since > hold.since));
  const about = { message, version, also: too.map(({ id }) => id) };
  // A key for each hold, so that no reply replaces one that is not posted yet.
  const news = (hold.ended ? [] : newer).map((other) =>
    replyTo(message, `${key}/${other.id}`, now, `${mention(hold.by)}: ${alsoText([other])}`),
  );
  const shows = { kind: shownKind, key, at: undefined, about };
  await store.setDue([shows, lastReply(hold, message, now), ...news], now);
}

function lastReply(hold: Hold, message: MessageRef, now: number): DueDraft {
  const { id, by, since, until, ended: end } = hold;
  const [holder, what] = [mention(by), safeLine(whatOf(hold), 200)];
  if (end?.how === 'released' && end.by && !samePerson(end.by, by))
    return replyTo(message, id, now, `${holder}: ${mention(end.by)} released your hold on ${what}.`);
  const isShort = until - since <= reminderMs;
  if (end || isShort || hold.uncertain === 'clock') return noReply(id);
  const text = `${holder}: your hold on ${what} ends at ${slackTime(until)}. To keep it, press *Extend 1h* above.`;
  return replyTo(message, id, until - reminderMs, text);
}

const replyTo = ({ channel, ts }: MessageRef, key: string, at: number, text: string): DueDraft =>
  replyDue(key, at, { channel, ts, text });
