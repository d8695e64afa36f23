import { z } from 'zod';

import { type EntryContext, entryOf } from '../../audit/entries.ts';
import type { OwnEvent } from '../../model/audit-event.ts';
import { type DueDraft, dueKind, type Lasting, type LastingChange } from '../../model/records/due.ts';
import { lastingRecords } from '../../model/records/lasting.ts';
import type { OfferContent, OfferMessage } from '../../model/records/offer.ts';
import { type Actor, actor, samePerson } from '../../model/values/actor.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { replyDue } from '../../slack/messages/replies.ts';
import { mention, mentions, safeLine, slackTime } from '../../slack/render/text.ts';
import { clip, someNames } from '../../text/words.ts';
import { alertHandedBack, alertOwned, alertTakenOver } from './events.ts';

const owner = z.object({
  group: z.string(),
  by: actor,
  /** Epoch milliseconds, like all times. */
  since: z.number(),
  until: z.number(),
  source: z.string(),
  channel: z.string(),
  title: z.string(),
  targets: z.array(z.string()),
});

/** Sources of programs have a colon, as in `agent:holmes`. Hooks have none. */
export const isHook = (source: string): boolean => !source.includes(':');

export const ownerKind = dueKind('owner');

/** By the id of the group. */
const records = lastingRecords(ownerKind, owner);
export const readOwner = records.read;
export type Owner = ReturnType<typeof readOwner>;

export const ownersNow = (all: readonly Lasting[]): readonly Owner[] => all.map(readOwner);

export const ownerOf = (all: readonly Lasting[], group: string): Owner | undefined =>
  ownersNow(all).find((one) => one.group === group);

/** The parts of a group's content that every version has, and `on`, the hosts or objects that the alerts name. */
const groupContent = z.object({
  title: z.string(),
  targets: z.array(z.string()).default([]),
  on: z.array(z.string()).optional(),
});

/** The title of an alert with what it is on, in the inventory or not. For example `InstanceDown on backup-3`. */
export function alertTitle(content: OfferContent): string {
  const { title, targets, on = targets } = groupContent.parse(content);
  return title + onTargets({ title, targets: on });
}

const mostOwners = 1000;
const mostMentioned = 5;

const nothing: LastingChange = { drafts: [], audit: [] };

const entry = (context: EntryContext, event: OwnEvent, one: Owner, by: Actor | undefined, rest = '') =>
  entryOf(context, event.name, {
    actor: by,
    place: { team: one.by.team, channel: one.channel },
    note: `${one.title}${onTargets(one)} (${one.source})${rest}`,
  });

/** For example ` on web-1`, unless the title says so. */
export function onTargets({ title, targets }: Pick<Owner, 'title' | 'targets'>): string {
  const others = targets.filter((name) => !title.includes(name));
  return others.length === 0 ? '' : ` on ${someNames(others)}`;
}

const alertText = (one: Owner): string => safeLine(`${one.title}${onTargets(one)}`, 200);

interface Taking {
  readonly by: Actor;
  readonly forMs: number;
  readonly message: OfferMessage & { readonly group: NonNullable<OfferMessage['group']> };
}

/**
 * Returns the ownership as `kept`. Nothing changes if the person already is the owner.
 * @throws BellhopError `busy`
 */
export const take =
  (context: EntryContext, { by, forMs, message }: Taking) =>
  (all: readonly Lasting[]): LastingChange & { readonly kept: Owner } => {
    const { group, source, channel } = message;
    const before = ownerOf(all, group.id);
    if (before && samePerson(before.by, by)) return { ...nothing, kept: before };
    if (all.length >= mostOwners)
      throw new BellhopError('busy', 'Too many alerts have an owner. Try again later.');
    const { title, targets } = groupContent.parse(group.content);
    const since = context.clock.now();
    const kept: Owner = {
      group: group.id,
      by,
      since,
      until: since + forMs,
      source,
      channel,
      title: clip(targets.length === 0 ? alertTitle(group.content) : title, 200),
      targets,
      version: before?.version ?? 0,
    };
    const drafts = [records.draft(group.id, kept, since)];
    if (!before) return { kept, drafts, audit: [entry(context, alertOwned, kept, by)] };
    const text = `${mention(before.by)}: ${mention(by)} took over ${alertText(kept)} from you.`;
    const told = reply(message, before, since, text);
    const audit = [entry(context, alertTakenOver, kept, by, `, from ${before.by.user}`)];
    return { kept, drafts: [...drafts, ...told], audit };
  };

/** The people on call now, and the sentences that say so, as mrkdwn. */
export interface OnCall {
  readonly people: readonly Actor[];
  readonly text: string;
}

interface HandingBack extends Omit<Taking, 'forMs'> {
  readonly onCall: OnCall;
}

/** Nothing changes if the person is not the owner. */
export const handBack =
  (context: EntryContext, { message, by, onCall }: HandingBack) =>
  (all: readonly Lasting[]): LastingChange => {
    const { id } = message.group;
    const before = ownerOf(all, id);
    if (!before || !samePerson(before.by, by)) return nothing;
    const others = onCall.people.filter((one) => !samePerson(one, by)).slice(0, mostMentioned);
    const isFor = others.length === 0 ? '' : `${mentions(others)}: `;
    const text = `${isFor}${mention(by)} handed back ${alertText(before)}, so no one is on it now.${onCall.text}`;
    const drafts = [records.end(id), ...reply(message, before, context.clock.now(), text)];
    return { drafts, audit: [entry(context, alertHandedBack, before, by)] };
  };

/**
 * Nothing changes if the alert has another owner now.
 * @param message undefined if the alert has ended
 */
export const endAlone =
  (context: EntryContext, one: Owner, message: OfferMessage | undefined) =>
  (all: readonly Lasting[]): LastingChange => {
    if (ownerOf(all, one.group)?.since !== one.since) return nothing;
    const why = message ? ', because the time ran out' : ', because the alert ended';
    const audit = [entry(context, alertHandedBack, one, undefined, `, from ${one.by.user}${why}`)];
    const drafts = [records.end(one.group)];
    if (!message) return { drafts, audit };
    const said = `${mention(one.by)}: you have been on ${alertText(one)} since ${slackTime(one.since)}. Your time ran out, so no one is on it now. Press *I'm on it* to stay on it.`;
    return { drafts: [...drafts, ...reply(message, one, one.until, said)], audit };
  };

const reply = (
  { channel, ts }: OfferMessage,
  { group, by }: Owner,
  at: number,
  text: string,
): readonly DueDraft[] =>
  ts === undefined ? [] : [replyDue(`${group} ${by.user} ${at}`, at, { channel, ts, text })];
