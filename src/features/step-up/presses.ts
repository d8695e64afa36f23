import { z } from 'zod';

import { entryOf } from '../../audit/entries.ts';
import type { Host } from '../../host/feature.ts';
import type { LinkGate } from '../../model/gate.ts';
import type { Clock } from '../../model/ports.ts';
import { type DueWork, dueKind, type Handler, type Outcome } from '../../model/records/due.ts';
import type { Request } from '../../model/records/request.ts';
import { messageRef } from '../../model/values/actor.ts';
import { type HeldClick, heldClick } from '../../model/values/pass.ts';
import { noticeDue } from '../../request/steps/notices.ts';
import { linkMessage } from '../../slack/forms/gate-link.ts';
import { editOrPost } from '../../slack/web-api/deliver.ts';
import { capitalized, counted } from '../../text/words.ts';
import { hashOf, linkMs, makeToken, urlOf } from './links.ts';

const pressesKind = dueKind('presses');

/** In milliseconds, between two edits of the message. */
const editPauseMs = 2_000;
/** In milliseconds. A press during a run of the handler is shown within this time. */
const longestPauseMs = 10_000;
/** In milliseconds. An older link is replaced, so that the message never has a link that is about to expire. */
const freshMs = linkMs / 2;
/** A person may press twice by mistake. From this press on, the people who wait for the decision are warned. */
const alarmFrom = 5;
const maxLinks = 100;

/** The version of the due work is the number of presses. */
const presses = z.object({
  click: heldClick,
  /**
   * When the current two minutes began, in epoch milliseconds. After them, their presses get one entry in the audit
   * log.
   */
  from: z.number(),
  logged: z.number().int(),
  shown: z.object({ message: messageRef, count: z.number().int(), at: z.number() }).optional(),
  alarmed: z.literal(true).optional(),
});
type Presses = Readonly<z.output<typeof presses>>;

interface CountPorts {
  readonly store: Pick<DueWork, 'countDue'>;
  readonly clock: Pick<Clock, 'now'>;
}

interface PressPorts extends Pick<Host, 'publicUrl' | 'registry' | 'disclaimers' | 'rulebook'> {
  readonly store: Pick<Host['store'], 'find' | 'record' | 'setDue' | 'addSignIn' | 'findSignIn'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly api: Pick<Host['api'], 'postMessage' | 'updateMessage'>;
}

/** Across replicas, only one press is the first. */
export function countPress({ store, clock }: CountPorts, click: HeldClick): Promise<number> {
  const { requestId, actor } = click;
  const now = clock.now();
  const about: Presses = { click, from: now, logged: 0 };
  const key = `${requestId} ${actor.team}/${actor.user}`;
  return store.countDue({ kind: pressesKind, key, at: now + linkMs, about }, now);
}

/**
 * All presses after the first share one direct message, so that a stolen session can't fill the person's screen. Each run of the handler
 * takes one step and stores it.
 */
export function createPressesHandler(ports: PressPorts, gate: LinkGate): Handler {
  const linkOf = createLinks(ports);
  const show = async (count: number, { click, shown }: Presses, request: Request) => {
    const { api } = ports;
    const { user } = click.actor;
    const url = await linkOf({ ...click, version: request.version });
    const lead = leadOf(count, click);
    const message = linkMessage(ports, request, { action: click.action, gate, url, lead });
    return editOrPost(api, shown?.message, message, () => api.postMessage(user, message));
  };
  const alarm = async (count: number, { click: { requestId, action, actor } }: Presses, now: number) => {
    const why = `${capitalized(action)} was pressed ${counted(count, 'time')}.`;
    await ports.store.setDue([noticeDue({ requestId, kind: 'pressed', at: now, by: actor, why })], now);
  };
  const log = async (count: number, { click }: Presses, request: Request | undefined) => {
    const { requestId, action, actor, place, correlationId } = click;
    const about = { operation: request?.operation, target: request?.target, outcome: request?.state };
    const note = `${action}: The person has to ${gate.demand.verb} first.`;
    const often = count > 1 && { count };
    const details = { ...about, requestId, actor, place, correlationId, note, ...often };
    await ports.store.record([entryOf(ports, 'ignored click', details)]);
  };
  return {
    kind: pressesKind,
    atOnce: 5,
    trouble: 'presses of a button could not be shown',
    byClock: true,
    async handle({ version: count, about }): Promise<Outcome> {
      const seen = presses.parse(about);
      const { click, shown, from, logged } = seen;
      const now = ports.clock.now();
      const request = await ports.store.find(click.requestId);
      const state = click.action === 'approve' ? 'awaiting approval' : 'proposed';
      const isOpen = request?.state === state;
      if (isOpen && count > (shown?.count ?? 1)) {
        const pauseMs = (shown?.at ?? 0) + editPauseMs - now;
        if (pauseMs > 0) return { againIn: pauseMs };
        const message = await show(count, seen, request);
        return { againIn: 0, about: { ...seen, shown: { message, count, at: now } } };
      }
      if (isOpen && count >= alarmFrom && !seen.alarmed) {
        await alarm(count, seen, now);
        return { againIn: 0, about: { ...seen, alarmed: true } };
      }
      if (now < from + linkMs) return { againIn: Math.min(from + linkMs - now, longestPauseMs) };
      if (count === logged) return { done: true };
      await log(count - logged, seen, request);
      return shown
        ? { againIn: linkMs, about: { ...seen, logged: count, from: now } }
        : { againIn: 0, about: { ...seen, logged: count } };
    },
  };
}

/** Once others are alarmed, the warning that someone else may have pressed comes before the way to sign in. */
const leadOf = (count: number, { action }: HeldClick): string =>
  count < alarmFrom
    ? `*You pressed ${counted(count, 'time')}?* Sign in below. If that wasn't you, don't, and tell your security team.`
    : `⚠️ *${capitalized(action)} was pressed ${counted(count, 'time')} in your name.* Wasn't you? *Don't sign in*, and call your security team. Was it you? Sign in below.`;

/** Reuses the link that this replica made for the person, if no one has followed it. */
function createLinks({ store, clock, publicUrl }: PressPorts): (click: HeldClick) => Promise<string> {
  const made = new Map<string, { readonly token: string; readonly at: number }>();
  return async (click) => {
    const { requestId, version, actor } = click;
    const key = `${requestId} ${version} ${actor.team}/${actor.user}`;
    const now = clock.now();
    const known = made.get(key);
    if (
      known &&
      now - known.at < freshMs &&
      (await store.findSignIn({ token: hashOf(known.token) }, now))?.isOpen
    )
      return urlOf(publicUrl, known.token);
    const token = await makeToken({ store, clock }, click);
    made.delete(key);
    made.set(key, { token, at: now });
    const [oldest] = made.keys();
    if (made.size > maxLinks && oldest !== undefined) made.delete(oldest);
    return urlOf(publicUrl, token);
  };
}
