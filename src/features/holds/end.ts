import { atOnce } from '../../bellhop/at-once.ts';
import { z } from '../../bellhop/bellhop.ts';
import { givenFacts } from '../../bellhop/parts/report-parts.ts';
import type { Context } from '../../model/ports.ts';
import { type Actor, samePerson } from '../../model/values/actor.ts';
import { badInput, BellhopError, misspelt, rescue } from '../../model/values/errors.ts';
import { DeniedError } from '../../policy/denied.ts';
import { guessOf } from '../../text/nearest.ts';
import { abridged, listed } from '../../text/words.ts';
import { hold } from './begin.ts';
import { changeEach, ended } from './change.ts';
import { holdExtended } from './events.ts';
import { heldBy, type Hold, holdKind, inForce, longestHold, whatOf } from './hold.ts';
import { howLong, targetWords } from './input.ts';
import { heldToo, select, selectedTarget, targetOfHold } from './select.ts';

const aboutNames = 'The held target, the labels as you typed them, or the id of the hold.';

export const release = atOnce({
  name: 'bellhop.release',
  summary: 'End a hold: your own, or one that the rules let you release.',
  synonyms: ['unhold', 'unlock', 'free'],
  offeredWith: hold.name,
  input: z.strictObject({
    targets: targetWords.default([]).describe(aboutNames),
    all: z.boolean().default(false).describe('All of your own holds.'),
  }),
  examples: ['/bellhop release db-1', '/bellhop release --all'],
  // A hold may be released after its target has left bellhop.yaml.
  target: ({ targets }, inventory) =>
    rescue(() => selectedTarget(targets, inventory)) ?? selectedTarget([], inventory),
  async act({ targets: words, all }, { caller: { actor }, assertAllowed }, context) {
    if (all === words.length > 0)
      throw badInput('Name what to release, such as /bellhop release db-1, or type /bellhop release --all.');
    const ending = await findHolds(context, actor, all ? undefined : words);
    for (const one of ending.filter(({ by }) => !samePerson(by, actor)))
      await assertAllowed(targetOfHold(one, context.rulebook().inventory)).catch((error: unknown) =>
        Promise.reject(notYours(one, error)),
      );
    const { holds } = await changeEach(context, ending, (one, at) =>
      ended(one, { how: 'released', by: actor, at }),
    );
    const kept = inForce(await context.store.lasting(holdKind));
    const still = new Set(holds.flatMap((one) => heldToo(one, kept, context.rulebook().inventory)));
    const what = listed(holds.map(whatOf));
    const others = [...still].map((too) => ` ${too.name} still holds ${whatOf(too)}.`);
    const holders = new Set(holds.filter(({ by }) => !samePerson(by, actor)).map(({ name }) => name));
    const end =
      holders.size === 0
        ? `Your ${holds.length === 1 ? 'hold on' : 'holds on'} ${what} ${holds.length === 1 ? 'has' : 'have'} ended.`
        : `${listed([...holders])}'s hold on ${what} has ended. A reply to its message says so.`;
    return {
      title: holds.length === 0 ? 'The hold had already ended' : 'Released',
      tone: 'good',
      headline: holds.length === 0 ? '' : end + others.join(''),
      facts: givenFacts([...still].map((too) => ['Still held', heldBy(too, whatOf(too))])),
    };
  },
});

export const extend = atOnce({
  name: 'bellhop.extend',
  summary: 'Extend one of your holds, as the button on its message does.',
  offeredWith: hold.name,
  input: z.strictObject({
    id: targetWords.min(1, 'is missing').describe(aboutNames),
    for: howLong('How much longer, 5m to 24h. Without it: 1h. At most 24h from now.'),
  }),
  examples: ['/bellhop extend db-1 --for 2h'],
  async act({ id: words, for: ms }, { caller: { actor }, assertAllowed }, context) {
    const found = await findHolds(context, actor, words);
    for (const one of found) await assertAllowed(targetOfHold(one, context.rulebook().inventory), hold.name);
    const other = found.find(({ by }) => !samePerson(by, actor));
    if (other) throw notExtended(other);
    const { holds } = await changeEach(context, found, (one, now) => {
      const until = Math.min(Math.max(one.until, now) + ms, now + longestHold);
      return { hold: { ...one, until }, event: holdExtended };
    });
    const [longer] = holds;
    if (!longer) throw badInput('This hold has ended. Type /bellhop hold to begin another.');
    return {
      title: 'Extended',
      tone: 'good',
      facts: givenFacts([
        ['Held', whatOf(longer)],
        ['Until', { at: longer.until }],
      ]),
    };
  },
});

/**
 * Words are an id, a target, or labels in any order. Other people's holds are returned only if the person has no such hold. A listed target
 * without a hold was not mistyped, so no other hold is suggested.
 */
async function findHolds(
  { store, rulebook }: Context,
  actor: Actor,
  words?: readonly string[],
): Promise<readonly Hold[]> {
  const kept = inForce(await store.lasting(holdKind));
  const what = words?.toSorted().join(' ');
  const found = kept.filter((one) => words === undefined || one.id === what || whatOf(one) === what);
  const own = found.filter(({ by }) => samePerson(by, actor));
  if (own.length > 0) return own;
  if (words === undefined) throw badInput('You hold nothing. Type /bellhop holds for all holds.');
  if (found.length > 0) return found;
  const typed = words.join(' ');
  const isListed = rescue(() => select(words, rulebook().inventory)) !== undefined;
  const known = isListed ? [] : kept.flatMap((one) => [whatOf(one), one.id]);
  const text = `There is no hold on “${abridged(typed)}”.`;
  throw misspelt('unknown-target', text, guessOf(typed, known), ' Type /bellhop holds for all holds.');
}

function notExtended({ by, ...one }: Hold): BellhopError {
  const holder = { person: by.user };
  const own = `/bellhop hold ${whatOf(one)} --reason "why"`;
  return new BellhopError('bad-input', [
    holder,
    ` holds ${whatOf(one)}, and only `,
    holder,
    ` can extend that. Nothing was changed. To begin your own hold, type ${own}.`,
  ]);
}

/** Adds the holder to a denial. A denial that may pass without a change of the rules is returned unchanged. */
function notYours(one: Hold, error: unknown): unknown {
  if (!(error instanceof DeniedError) || error.retryable || error.until !== undefined) return error;
  const { rule, whoMay, by: kind } = error;
  const holder = { person: one.by.user };
  const others = whoMay.roles.map((role) => ` or ${role}`).join('');
  const said = [holder, ` holds ${whatOf(one)}. Only `, holder, `${others} can release it.`];
  return new DeniedError(said, rule, whoMay, { by: kind });
}
