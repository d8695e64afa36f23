import { z } from 'zod';

import type { Host } from '../../host/feature.ts';
import { type Due, dueKind, type Handler, type Outcome, setBackKind } from '../../model/records/due.ts';
import { messageRef } from '../../model/values/actor.ts';
import { editOrPost } from '../../slack/web-api/deliver.ts';
import { changeHold, endHold, stays } from './change.ts';
import { type Hold, holdKind, longestHold, meets, readHold } from './hold.ts';
import { renderHold, renderReminder } from './render.ts';

/** The message of a hold: where it is, which version it shows, and the end that its holder was reminded of. */
const shownKind = dueKind('hold message');
const shownRow = z
  .object({ message: messageRef, version: z.number(), remindedOf: z.number().optional() })
  .optional();
type Shown = z.output<typeof shownRow>;

const setBackRow = z.object({ at: z.number() });

/** In milliseconds before the end. */
const reminderMs = 10 * 60_000;
const againMs = 10_000;
/** In milliseconds. A clock that is this much earlier than when the hold began was set back. */
const marginMs = 60_000;

type HoldPorts = Pick<Host, 'api' | 'store' | 'clock' | 'clockIsRight' | 'rulebook' | 'disclaimers' | 'log'>;

/** Shows a hold in its channel, reminds its holder, and ends it. */
export const createHoldHandler = (ports: HoldPorts): Handler => ({
  kind: holdKind,
  atOnce: 10,
  trouble: 'a hold could not be shown',
  async handle(due) {
    const { store, clock } = ports;
    const hold = readHold(due);
    if (!hold.ended && (await mayHaveEnded(ports, due, hold))) return { againIn: 0 };
    const shown = await showHold(ports, due, hold);
    if (hold.ended) {
      await store.setDue([{ kind: shownKind, key: hold.id, at: undefined, ends: true }], clock.now());
      return { done: true };
    }
    return remindOf(ports, hold, shown);
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
  // A longer end may be among what the restore lost. No hold lasts longer than this after it.
  if (setBackAt > hold.since && hold.uncertain !== 'restored')
    return set((one) => stays(one, now, 'restored', Math.max(one.until, setBackAt + longestHold)));
  const isOver = now >= hold.until;
  const isWrong = now < hold.since - marginMs || (isOver && !clockIsRight());
  if (isWrong && hold.uncertain === undefined) return set((one) => stays(one, now, 'clock'));
  return isOver && clockIsRight() ? set((one) => endHold(ports, one, 'time')) : false;
}

async function showHold(ports: HoldPorts, { version }: Due, hold: Hold): Promise<Shown> {
  const { api, store, clock, disclaimers } = ports;
  const shown = shownRow.parse((await store.findDue(shownKind, hold.id))?.about);
  if (shown && shown.version >= version) return shown;
  // If the process that began the hold has died, its answer was never given, and a change may be starting.
  if (!shown && !hold.ended) await store.reconsider((target) => meets(hold.selector, target), clock.now());
  const message = renderHold(hold, disclaimers);
  const post = () => api.postMessage(hold.place.channel, message);
  const now = { ...shown, message: await editOrPost(api, shown?.message, message, post), version };
  await keep(ports, hold, now);
  return now;
}

async function remindOf(ports: HoldPorts, hold: Hold, shown: Shown): Promise<Outcome> {
  const { api, clock, disclaimers } = ports;
  const { until, uncertain } = hold;
  const left = until - clock.now();
  if (uncertain === 'clock' || left <= 0) return { againIn: againMs };
  if (left > reminderMs) return { againIn: left - reminderMs };
  if (shown && shown.remindedOf !== until && hold.until - hold.since > reminderMs) {
    const { channel, ts } = shown.message;
    await api.postMessage(channel, renderReminder(hold, disclaimers), ts);
    await keep(ports, hold, { ...shown, remindedOf: until });
  }
  return { againIn: left };
}

const keep = ({ store, clock }: HoldPorts, { id: key }: Hold, about: NonNullable<Shown>): Promise<void> =>
  store.setDue([{ kind: shownKind, key, at: undefined, about }], clock.now());
