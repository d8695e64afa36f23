import { type EntryContext, entryOf } from '../../audit/entries.ts';
import type { OwnEvent } from '../../model/audit-event.ts';
import type { Context } from '../../model/ports.ts';
import type { AuditDraft } from '../../model/records/audit.ts';
import { samePerson } from '../../model/values/actor.ts';
import { badInput } from '../../model/values/errors.ts';
import { plainPart } from '../../text/parts.ts';
import { held, holdReleased } from './events.ts';
import { type Hold, holdKind, inForce, meets, records, targetsText, whatOf } from './hold.ts';
import { heldToo } from './select.ts';

const most = { all: 100, ofPerson: 20 } as const;

/** Without an event, no audit entry is written. */
export interface HoldStep {
  readonly hold: Hold;
  readonly event?: OwnEvent;
  readonly note?: string;
}

type ChangePorts = Pick<Context, 'store' | 'clock' | 'rulebook'>;

/**
 * One transaction. Resolves to the changed holds, and to the requests that already run on their targets. Other requests for these targets
 * are decided again before they start.
 */
async function changeHolds(
  ports: ChangePorts,
  decide: (kept: readonly Hold[], now: number) => readonly HoldStep[],
) {
  const { store, clock, rulebook } = ports;
  const now = clock.now();
  const { inventory } = rulebook();
  const { steps } = await store.changeLasting(holdKind, now, (all) => {
    const kept = inForce(all);
    const decided = decide(kept, now);
    const changed = decided.map(({ hold }) => hold);
    // The messages of other people's holds name these, so those messages change, too.
    const beside = kept.filter((one) => changed.some((hold) => heldToo(hold, [one], inventory).length > 0));
    const others = beside.filter(({ id }) => !changed.some((hold) => hold.id === id));
    const drafts = [...changed, ...others].map((hold) => records.draft(hold.id, hold, now));
    return { steps: decided, drafts, audit: decided.flatMap((step) => entriesOf(ports, step)) };
  });
  const holds = steps.map(({ hold }) => hold);
  const running = await store.reconsider(
    (target) => holds.some(({ selector }) => meets(selector, target)),
    now,
  );
  return { holds, running };
}

function entriesOf(context: EntryContext, { hold, event, note = '' }: HoldStep): readonly AuditDraft[] {
  if (!event) return [];
  const { place, reason, until } = hold;
  const actor = hold.ended ? hold.ended.by : hold.by;
  const [what, names] = [whatOf(hold), targetsText(hold)];
  const about = `${what}${names === what ? '' : ` (${names})`}, until ${plainPart({ at: until })}${note}`;
  return [entryOf(context, event.name, { actor, place, reason, note: about })];
}

/**
 * The person's earlier hold of the same targets ends.
 * @throws BellhopError `bad-input` if there are too many holds
 */
export const beginHold = (ports: ChangePorts, hold: Hold) =>
  changeHolds(ports, (kept, now) => {
    const { by } = hold;
    const mine = kept.filter((one) => samePerson(one.by, by));
    const replaced = mine.filter((one) => whatOf(one) === whatOf(hold));
    if (mine.length - replaced.length >= most.ofPerson)
      throw badInput(
        `You already have ${most.ofPerson} holds. Release one first: /bellhop holds lists them.`,
      );
    if (kept.length - replaced.length >= most.all)
      throw badInput(`There are already ${most.all} holds. Release one first: /bellhop holds lists them.`);
    const ends = replaced.map((one) => ({
      ...ended(one, { how: 'replaced', by, at: now }),
      note: ', replaced by a newer hold',
    }));
    const note = replaced.length === 0 ? '' : ', instead of an earlier hold';
    return [...ends, { hold, event: held, note }];
  });

/** Skips holds that have ended. @param change returns undefined to leave a hold unchanged */
export const changeEach = (
  ports: ChangePorts,
  holds: readonly Hold[],
  change: (hold: Hold, now: number) => HoldStep | undefined,
) =>
  changeHolds(ports, (kept, now) =>
    kept.filter(({ id }) => holds.some((one) => one.id === id)).flatMap((hold) => change(hold, now) ?? []),
  );

export const ended = (hold: Hold, end: NonNullable<Hold['ended']>): HoldStep => ({
  hold: { ...hold, ended: end },
  event: holdReleased,
});
