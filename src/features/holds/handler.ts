import { z } from 'zod';

import type { Host } from '../../host/feature.ts';
import { type Due, type DueDraft, dueKind, type Handler, setBackKind } from '../../model/records/due.ts';
import { type MessageRef, messageRef } from '../../model/values/actor.ts';
import { noReply, replyDue } from '../../slack/messages/replies.ts';
import { mention, safeLine, slackTime } from '../../slack/render/text.ts';
import { editOrPost } from '../../slack/web-api/deliver.ts';
import { changeHold, endHold, stays } from './change.ts';
import { type Hold, holdKind, longestHold, meets, readHold, selectorText } from './hold.ts';
import { renderHold } from './render.ts';
import { heldToo } from './select.ts';

/** The message of a hold: where it is, and which version it shows. */
const shownKind = dueKind('hold message');
const shownRow = z.object({ message: messageRef, version: z.number() }).optional();

const setBackRow = z.object({ at: z.number() });

/** In milliseconds before the end. */
const reminderMs = 10 * 60_000;
const againMs = 10_000;
/** In milliseconds. A restore of the store, or a wrong clock, is noticed within this time. */
const lookMs = 5 * 60_000;
/** In milliseconds. A clock that is this much earlier than when the hold began was set back. */
const marginMs = 60_000;

type HoldPorts = Pick<Host, 'api' | 'store' | 'clock' | 'clockIsRight' | 'rulebook' | 'disclaimers' | 'log'>;

/** Shows a hold in its channel, reminds its holder, and ends it. */
export const createHoldHandler = (ports: HoldPorts): Handler => ({
  kind: holdKind,
  atOnce: 10,
  trouble: 'a hold could not be shown',
  async handle(due) {
    const hold = readHold(due);
    if (!hold.ended && (await mayHaveEnded(ports, due, hold))) return { againIn: 0 };
    await showHold(ports, due, hold);
    const { id: key, ended, uncertain, until } = hold;
    if (ended) return { done: true, next: [{ kind: shownKind, key, at: undefined, ends: true }] };
    const left = until - ports.clock.now();
    return { againIn: uncertain === 'clock' || left <= 0 ? againMs : Math.min(left, lookMs) };
  },
});

/** Resolves to whether the row has changed, so that it is due again. */
async function mayHaveEnded(ports: HoldPorts, { key, version }: Due, hold: Hold): Promise<boolean> {
  const { store, clock, clockIsRight } = ports;
  const now = clock.now();
  const set = async (change: Parameters<typeof changeHold>[2]): Promise<true> => {
    await store.changeLasting(holdKind, now, changeHold(key, version, change));
    await store.reconsider((target) => meets(hold.selector, target), now);
    return true;
  };
  const setBack = (await store.findDue(setBackKind, setBackKind))?.about;
  const setBackAt = setBack === undefined ? 0 : setBackRow.parse(setBack).at;
  // The restore may have lost a later end. No hold can last longer than this after the restore.
  if (setBackAt > hold.since && hold.uncertain !== 'restored')
    return set((one) => stays(ports, one, 'restored', Math.max(one.until, setBackAt + longestHold)));
  const isOver = now >= hold.until;
  const isWrong = now < hold.since - marginMs || (isOver && !clockIsRight());
  if (isWrong && hold.uncertain === undefined) return set((one) => stays(ports, one, 'clock'));
  return isOver && clockIsRight() ? set((one) => endHold(ports, one, 'time')) : false;
}

/** Shows the newest version, and makes the reminder due in its thread. */
async function showHold(ports: HoldPorts, { key, version }: Due, hold: Hold): Promise<void> {
  const { api, store, clock, rulebook, disclaimers } = ports;
  const shown = shownRow.parse((await store.findDue(shownKind, key))?.about);
  if (shown && shown.version >= version) return;
  // If the process that began the hold has died, its answer was never given, and a change may be starting.
  if (!shown && !hold.ended) await store.reconsider((target) => meets(hold.selector, target), clock.now());
  const still = hold.ended && heldToo(hold, await store.lasting(holdKind), rulebook().inventory);
  const drawn = renderHold(hold, disclaimers, still);
  const post = () => api.postMessage(hold.place.channel, drawn);
  const message = await editOrPost(api, shown?.message, drawn, post);
  const about = { message, version };
  await store.setDue([{ kind: shownKind, key, at: undefined, about }, reminder(hold, message)], clock.now());
}

function reminder(
  { id, since, until, uncertain, ended, ...hold }: Hold,
  { channel, ts }: MessageRef,
): DueDraft {
  const isShort = until - since <= reminderMs;
  if (ended || isShort || uncertain === 'clock') return noReply(id);
  const text = `${mention(hold.by)}: your hold on ${safeLine(selectorText(hold.selector), 200)} ends at ${slackTime(until)}. To keep it, press *Extend 1h* above.`;
  return replyDue(id, until - reminderMs, { channel, ts, text });
}
