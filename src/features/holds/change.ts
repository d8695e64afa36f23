import type { EntryContext } from '../../audit/entries.ts';
import { entryOf } from '../../audit/entries.ts';
import type { OwnEvent } from '../../model/audit-event.ts';
import type { Lasting, LastingChange } from '../../model/records/due.ts';
import { type Actor, samePerson } from '../../model/values/actor.ts';
import { badInput } from '../../model/values/errors.ts';
import { plainPart } from '../../text/parts.ts';
import { held, holdExtended, holdReleased } from './events.ts';
import {
  type Hold,
  holdKind,
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

const noteOf = (one: Hold, rest = ''): string => {
  const what = selectorText(one.selector);
  const names = targetsText(one);
  return `${what}${names === what ? '' : ` (${names})`}, until ${plainPart({ at: one.until })}${rest}`;
};

/** The hold as it is from now on, with an entry if there is an event. @param rest of the entry's note */
function changed(
  context: EntryContext,
  { version, ...one }: KeptHold,
  event?: OwnEvent,
  by?: Actor,
  rest = '',
): HoldChange {
  const { id: key, place, reason } = one;
  const audit = event && [
    entryOf(context, event.name, { actor: by, place, reason, note: noteOf(one, rest) }),
  ];
  const at = context.clock.now();
  return {
    holds: [one],
    drafts: [{ kind: holdKind, key, version: version + 1, at, about: one }],
    audit: audit ?? [],
  };
}

const together = (changes: readonly HoldChange[]): HoldChange => ({
  holds: changes.flatMap(({ holds }) => holds),
  drafts: changes.flatMap(({ drafts }) => drafts),
  audit: changes.flatMap(({ audit }) => audit),
});

/** A new hold. The person's earlier hold of the same targets ends. @throws BellhopError `bad-input` if there are too many holds */
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
    const rest = replaced ? `, ${one.id}, instead of ${replaced.id}` : `, ${one.id}`;
    const begun = changed(context, { ...one, version: 0 }, held, one.by, rest);
    const ended = replaced ? [endHold(context, replaced, 'replaced', one.by)] : [];
    return { ...together([...ended, begun]), replaced };
  };

export const endHold = (
  context: EntryContext,
  one: KeptHold,
  how: NonNullable<Hold['ended']>['how'],
  by?: Actor,
): HoldChange =>
  changed(
    context,
    { ...one, ended: { how, at: context.clock.now(), ...(by && { by }) } },
    holdReleased,
    by,
    how === 'replaced' ? ', replaced by a newer hold' : '',
  );

/** Only its holder extends a hold. @throws BellhopError `bad-input` */
export const extendHold =
  (context: EntryContext, id: string, by: Actor, ms: number) =>
  (all: readonly Lasting[]): HoldChange => {
    const one = inForce(all).find((each) => each.id === id);
    if (!one) throw badInput('This hold has ended. Type /bellhop hold to begin another.');
    if (!samePerson(one.by, by))
      throw badInput('Only the holder can extend a hold. Begin your own: /bellhop hold.');
    const at = context.clock.now();
    const until = Math.min(Math.max(one.until, at) + ms, at + longestHold);
    return changed(context, { ...one, until }, holdExtended, by, `, ${id}`);
  };

/** Ends those of these holds that are still in force. */
export const releaseHolds =
  (context: EntryContext, ids: readonly string[], by: Actor) =>
  (all: readonly Lasting[]): HoldChange =>
    together(
      inForce(all)
        .filter(({ id }) => ids.includes(id))
        .map((one) => endHold(context, one, 'released', by)),
    );

/** Changes a hold that the handler has read, if it is still the same. */
export const changeHold =
  (key: string, version: number, change: (one: KeptHold) => HoldChange) =>
  (all: readonly Lasting[]): LastingChange => {
    const one = inForce(all).find((each) => each.id === key && each.version === version);
    return one ? change(one) : { drafts: [], audit: [] };
  };

/** The end can't be trusted, so the hold stays, and says so. */
export const stays = (
  context: EntryContext,
  one: KeptHold,
  uncertain: Hold['uncertain'],
  until = one.until,
): HoldChange => changed(context, { ...one, uncertain, until });
