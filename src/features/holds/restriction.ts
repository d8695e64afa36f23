import type { LastingWork } from '../../model/records/due.ts';
import type { LastingRestriction } from '../../model/restriction.ts';
import { samePerson } from '../../model/values/actor.ts';
import { denialBy } from '../../policy/policy.ts';
import type { CardLines } from '../../slack/cards/card-lines.ts';
import { sentences } from '../../text/words.ts';
import { type Hold, heldBy, heldByText, holdKind, inForce, meets, selectorText } from './hold.ts';

/** A hold denies changes on its targets to everyone but its holder. Break-glass overrides a hold, where a rule allows it. */
export const byHolds: LastingRestriction = {
  kind: holdKind,
  restrict(all, { target, requester }, decision) {
    const holds = inForce(all).filter(
      ({ selector, by }) => meets(selector, target) && !samePerson(by, requester),
    );
    const [first] = holds;
    if (!first) return decision;
    if (decision.approvalSkipped) {
      const said = holds.flatMap((one) => [
        ...heldBy(one, target.name),
        '. Break-glass overrides this hold. ',
      ]);
      const texts = holds.map((one) => `${heldByText(one, target.name)}. Break-glass overrides this hold.`);
      return { ...decision, note: sentences([...texts, decision.note]), said };
    }
    const last = holds.reduce((one, other) => (other.until > one.until ? other : one));
    const title = `hold ${first.id}`;
    return {
      ...denialBy({ kind: 'feature', title }, heldByText(first, target.name)),
      said: [
        ...heldBy(first, target.name),
        '. Ask ',
        { person: first.by.user },
        ` to release it, or type /bellhop release ${selectorText(first.selector)} if a rule lets you`,
      ],
      until: last.uncertain === undefined ? last.until : undefined,
      passes: true,
    };
  },
  standing: (all) =>
    inForce(all).map((one) => ({
      label: 'Held now',
      said: heldBy(one, selectorText(one.selector)),
    })),
  assumed: {
    key: 'held',
    description: 'targets that someone else holds, `[db-1]`',
    lasting: (names) => names.map((name) => ({ key: name, version: 1, about: assumedHold(name) })),
  },
};

/** Says on the card of a waiting request who holds its target. */
export const heldLines =
  ({ lasting }: Pick<LastingWork, 'lasting'>): CardLines =>
  async ({ target, requester }) =>
    inForce(await lasting(holdKind))
      .filter(({ selector, by }) => meets(selector, target) && !samePerson(by, requester))
      .map((one) => heldBy(one, selectorText(one.selector)).concat('.'));

/** The names in tests are not checked, so a hold of a test is for any kind of target. */
const assumedHold = (name: string): Hold => ({
  id: 'of the test',
  by: { team: '', user: '' },
  name: 'someone else',
  place: { team: '', channel: '' },
  selector: { targets: [{ name }] },
  names: [name],
  count: 1,
  reason: 'assumed by the test',
  since: 0,
  until: 0,
});
