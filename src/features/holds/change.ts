import type { EntryContext } from '../../audit/entries.ts';
import { entryOf } from '../../audit/entries.ts';
import type { OwnEvent } from '../../model/audit-event.ts';
import type { DueDraft, Lasting, LastingChange } from '../../model/records/due.ts';
import { type Actor, samePerson } from '../../model/values/actor.ts';
import { badInput } from '../../model/values/errors.ts';
import { plainPart } from '../../text/parts.ts';
import { held, holdExtended, holdReleased } from './events.ts';
import {
  type Hold,
  holdKind,
  hour,
  inForce,
  type KeptHold,
  longestHold,
  sameSelector,
  selectorText,
  targetsText,
} from './hold.ts';

const most = { all: 100, ofPerson: 20 } as const;

export interface HoldChange extends LastingChange {
  readonly holds: readonly Hold[];
}

const draftOf = ({ version, ...about }: KeptHold, at: number): DueDraft => ({
  kind: holdKind,
  key: about.id,
  version: version + 1,
  at,
  about,
});

const noteOf = (one: Hold, rest = ''): string => {
  const what = selectorText(one.selector);
  const names = targetsText(one);
  return `${what}${names === what ? '' : ` (${names})`}, until ${plainPart({ at: one.until })}${rest}`;
};

const entry = (context: EntryContext, event: OwnEvent, one: Hold, by: Actor | undefined, rest = '') =>
  entryOf(context, event.name, {
    actor: by,
    place: one.place,
    reason: one.reason,
    note: noteOf(one, rest),
  });

/** A new hold. The person's earlier hold of the same targets ends. @throws BellhopError `bad-input` beyond the most holds */
export const beginHold =
  (context: EntryContext, one: Hold) =>
  (all: readonly Lasting[]): HoldChange & { readonly replaced: Hold | undefined } => {
    const mine = inForce(all).filter(({ by }) => samePerson(by, one.by));
    const replaced = mine.find(({ selector }) => sameSelector(selector, one.selector));
    const others = replaced ? 1 : 0;
    if (mine.length - others >= most.ofPerson)
      throw badInput(
        `You already have ${most.ofPerson} holds. Release one first: /bellhop holds lists them.`,
      );
    if (inForce(all).length - others >= most.all)
      throw badInput(`There are already ${most.all} holds. Release one first: /bellhop holds lists them.`);
    const ended = replaced && endHold(context, replaced, 'replaced', one.by);
    const rest = replaced ? `, instead of ${replaced.id}` : '';
    return {
      holds: [one],
      replaced,
      drafts: [...(ended?.drafts ?? []), draftOf({ ...one, version: 0 }, one.since)],
      audit: [...(ended?.audit ?? []), entry(context, held, one, one.by, `, ${one.id}${rest}`)],
    };
  };

export function endHold(
  context: EntryContext,
  one: KeptHold,
  how: NonNullable<Hold['ended']>['how'],
  by?: Actor,
): HoldChange {
  const at = context.clock.now();
  const ended = { ...one, ended: { how, at, ...(by && { by }) } };
  return {
    holds: [ended],
    drafts: [draftOf(ended, at)],
    audit: [entry(context, holdReleased, one, by, how === 'replaced' ? ', replaced by a newer hold' : '')],
  };
}

/** Only its holder extends a hold. @throws BellhopError `bad-input` */
export const extendHold =
  (context: EntryContext, id: string, by: Actor, ms = hour) =>
  (all: readonly Lasting[]): HoldChange => {
    const one = inForce(all).find((each) => each.id === id);
    if (!one) throw badInput('This hold has ended. Type /bellhop hold to begin another.');
    if (!samePerson(one.by, by))
      throw badInput('Only the holder can extend a hold. Begin your own: /bellhop hold.');
    const at = context.clock.now();
    const until = Math.min(Math.max(one.until, at) + ms, at + longestHold);
    const longer = { ...one, until };
    return {
      holds: [longer],
      drafts: [draftOf(longer, at)],
      audit: [entry(context, holdExtended, longer, by, `, ${id}`)],
    };
  };

/** Ends these holds, as far as they are still in force. */
export const releaseHolds =
  (context: EntryContext, ids: readonly string[], by: Actor) =>
  (all: readonly Lasting[]): HoldChange => {
    const ending = inForce(all)
      .filter(({ id }) => ids.includes(id))
      .map((one) => endHold(context, one, 'released', by));
    return {
      holds: ending.flatMap(({ holds }) => holds),
      drafts: ending.flatMap(({ drafts }) => drafts),
      audit: ending.flatMap(({ audit }) => audit),
    };
  };

/** Changes a hold that the handler has read, if it is still the same. */
export const changeHold =
  (key: string, version: number, change: (one: KeptHold) => HoldChange) =>
  (all: readonly Lasting[]): LastingChange => {
    const one = inForce(all).find((each) => each.id === key && each.version === version);
    return one ? change(one) : { drafts: [], audit: [] };
  };

/** The end can't be trusted, so the hold stays, and says so. */
export function stays(
  one: KeptHold,
  at: number,
  uncertain: Hold['uncertain'],
  until = one.until,
): HoldChange {
  const longer = { ...one, uncertain, until };
  return { holds: [longer], drafts: [draftOf(longer, at)], audit: [] };
}
