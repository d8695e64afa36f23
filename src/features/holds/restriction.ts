import type { Bar, LastingRestriction } from '../../model/restriction.ts';
import { samePerson } from '../../model/values/actor.ts';
import type { TextPart } from '../../text/parts.ts';
import { release } from './end.ts';
import { heldBy, type Hold, holdKind, inForce, meets, readHold, whatOf } from './hold.ts';

export const byHolds: LastingRestriction = {
  kind: holdKind,
  noun: 'hold',
  label: 'Held now',
  bars: (all) => inForce(all).map(barOf),
  ended(all, { target, requester }) {
    const [last] = all
      .map(readHold)
      .filter(({ by, ended, selector }) => ended && meets(selector, target) && !samePerson(by, requester))
      .flatMap(({ ended }) => ended ?? [])
      .toSorted((one, other) => other.at - one.at);
    const by: TextPart[] = last?.by ? [' by ', { person: last.by.user }] : [];
    return last && [last.how === 'time' ? 'as planned' : 'released', ...by, ' on ', { at: last.at }];
  },
  assumed: {
    key: 'held',
    description: 'targets that someone else holds, `[db-1]`',
    text: (name) => `${name} is held by someone else`,
  },
};

const barOf = (one: Hold): Bar => ({
  title: `hold ${one.id}`,
  by: one.by,
  what: whatOf(one),
  meets: (target) => meets(one.selector, target),
  said: (name) => heldBy(one, name),
  overridden: (name) => heldBy(one, name, 'was still held'),
  endedBy: release.name,
  // The id, because the same words would release the reader's own hold.
  instead: (roles) => [
    ...(roles === 'you' ? ['You'] : [{ person: one.by.user }, ...roles.map((role) => ` or ${role}`)]),
    ` can release it: /bellhop release ${one.id}`,
  ],
  advice: `You hold ${whatOf(one)}. Release it first (Release on its message, or /bellhop release ${whatOf(one)}), then press again.`,
  until: one.uncertain === undefined ? one.until : undefined,
});
