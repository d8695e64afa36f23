import type { Request } from '../../model/records/request.ts';
import { hasParts } from '../../model/records/whole.ts';
import type { Host } from '../../host/feature.ts';
import type { Act, Acts } from '../../model/act.ts';
import { samePerson } from '../../model/values/actor.ts';
import { badInput, type BellhopError, misspelt } from '../../model/values/errors.ts';
import type { ReportParts } from '../../model/values/report.ts';
import { givenFacts } from '../../bellhop/parts/report-parts.ts';
import { DeniedError } from '../../policy/denied.ts';
import { readReason } from '../../policy/reason.ts';
import { requestItem } from '../../run/items.ts';
import { guessOf } from '../../text/nearest.ts';
import { abridged, counted, listed } from '../../text/words.ts';
import { beginHold, extendHold, releaseHolds } from './change.ts';
import {
  type Hold,
  holdKind,
  inForce,
  type KeptHold,
  maxNames,
  meets,
  selectorText,
  targetsText,
} from './hold.ts';
import { holdOperations } from './operations.ts';
import { asOne, heldToo, select, selectedTargets } from './select.ts';

const { hold, release, extend } = holdOperations;

/** The commands of holds, by their names. */
export const holdActs = (host: Host): Acts => ({
  [hold.name]: begin(host),
  [release.name]: end(host),
  [extend.name]: lengthen(host),
});

const begin =
  (host: Host): Act =>
  async ({ caller, values, target, assertAllowed }) => {
    await assertAllowed(target);
    const { store, clock, rulebook, directory, ids } = host;
    const { targets: words, reason: typed, for: ms } = hold.input.parse(values);
    const reason = await readReason(host, typed);
    const { selector, targets } = select(words, rulebook().inventory);
    const { actor: by, place } = caller;
    const name = (await directory.person(by))?.name ?? by.user;
    const since = clock.now();
    const one: Hold = {
      id: ids.request().replace(/^r/u, 'h'),
      by,
      name,
      place,
      selector,
      names: targets.slice(0, maxNames).map((each) => each.name),
      count: targets.length,
      reason,
      since,
      until: since + ms,
    };
    const { replaced } = await store.changeLasting(holdKind, since, beginHold(host, one));
    const started = await reconsider(host, one);
    const too = heldToo(one, await store.lasting(holdKind), rulebook().inventory);
    return heldReport(host, one, {
      replaced,
      too,
      running: started.filter((request) => !hasParts(request)),
    });
  };

/** Returns the changes that run on the targets. After this, no other change starts there. */
const reconsider = ({ store, clock }: Host, { selector }: Hold): Promise<readonly Request[]> =>
  store.reconsider((target) => meets(selector, target), clock.now());

const maxListed = 20;

/** The other things that the answer to a new hold names. */
interface Beside {
  readonly replaced: Hold | undefined;
  /** Someone else's hold on one of its targets. */
  readonly too: Hold | undefined;
  readonly running: readonly Request[];
}

async function heldReport(
  { registry, messages }: Host,
  one: Hold,
  { replaced, too, running }: Beside,
): Promise<ReportParts> {
  const items = running
    .slice(0, maxListed)
    .map(async (request) =>
      Object.assign(requestItem(registry, request), { link: await messages.link(request) }),
    );
  const more = running.length - maxListed;
  return {
    title: `${selectorText(one.selector)} is held`,
    tone: 'good',
    headline: too
      ? `${too.name} holds ${selectorText(too.selector)}, too. You can't change ${'labels' in too.selector ? 'its targets' : 'it'}, either.`
      : "Others can't change it. Reads still work.",
    facts: givenFacts([
      ['Until', { at: one.until }],
      [
        'Also held',
        too && [
          'by ',
          { person: too.by.user },
          ...(too.uncertain === undefined ? [' until ', { at: too.until }] : []),
        ],
      ],
      ['Reason', one.reason],
      ['Targets', targetsText(one)],
      ['Hold', one.id],
      ['Replaces', replaced && [`your hold ${replaced.id} until `, { at: replaced.until }]],
    ]),
    items: await Promise.all(items),
    notes: [
      running.length === 0
        ? 'No change is running there.'
        : `${counted(running.length, 'change')} had already started there, and will finish.`,
      ...(more > 0 ? [`${counted(more, 'more change')} ${more === 1 ? 'is' : 'are'} running.`] : []),
    ],
  };
}

const end =
  (host: Host): Act =>
  async ({ caller: { actor }, values, assertAllowed }) => {
    const { store, clock, rulebook } = host;
    const { targets: words, all } = release.input.parse(values);
    if (all === words.length > 0)
      throw badInput('Name what to release, such as /bellhop release db-1, or type /bellhop release --all.');
    const kept = inForce(await store.lasting(holdKind));
    const own = kept.filter(({ by }) => samePerson(by, actor));
    const meant = all ? own : heldAs(words, kept);
    const mine = meant.filter(({ by }) => samePerson(by, actor));
    const ending = mine.length > 0 ? mine : meant;
    if (ending.length === 0) throw notHeld(all ? [] : words, kept);
    if (mine.length === 0)
      for (const one of ending)
        await assertAllowed(asOne(selectedTargets(one.selector, rulebook().inventory))).catch(
          (error: unknown) => Promise.reject(notYours(one, error)),
        );
    const ids = ending.map(({ id }) => id);
    const { holds } = await store.changeLasting(holdKind, clock.now(), releaseHolds(host, ids, actor));
    for (const one of holds) await reconsider(host, one);
    return {
      title: holds.length === 0 ? 'The hold had already ended' : 'Released',
      tone: 'good',
      headline: listed(holds.map(({ selector }) => selectorText(selector))),
    };
  };

/** Says whose hold it is, unless the person may become allowed without a change of the rules. */
function notYours({ by, selector }: KeptHold, error: unknown): unknown {
  if (!(error instanceof DeniedError) || error.retryable || error.until !== undefined) return error;
  const { rule, whoMay, by: kind } = error;
  const holder = { person: by.user };
  const others = whoMay.roles.map((role) => ` or ${role}`).join('');
  const said = [holder, ` holds ${selectorText(selector)}. Only `, holder, `${others} can release it.`];
  return new DeniedError(said, rule, whoMay, { by: kind });
}

/** The holds that the words name, by id, by target, or by the same labels in any order. */
function heldAs(words: readonly string[], kept: readonly KeptHold[]): readonly KeptHold[] {
  const typed = words.toSorted().join(' ');
  return kept.filter(
    ({ id, selector }) => id === typed || selectorText(selector).split(' ').toSorted().join(' ') === typed,
  );
}

function notHeld(words: readonly string[], kept: readonly KeptHold[]): BellhopError {
  if (words.length === 0) return badInput('You hold nothing. Type /bellhop holds for all holds.');
  const typed = words.join(' ');
  const known = kept.flatMap(({ id, selector }) => [selectorText(selector), id]);
  const text = `There is no hold on “${abridged(typed)}”.`;
  return misspelt('unknown-target', text, guessOf(typed, known), ' Type /bellhop holds for all holds.');
}

const lengthen =
  (host: Host): Act =>
  async ({ caller: { actor }, values, assertAllowed }) => {
    const { store, clock, rulebook } = host;
    const { id: words, for: ms } = extend.input.parse(values);
    const kept = inForce(await store.lasting(holdKind));
    const meant = heldAs(words, kept);
    const one = meant.find(({ by }) => samePerson(by, actor)) ?? meant[0];
    if (!one) throw notHeld(words, kept);
    await assertAllowed(asOne(selectedTargets(one.selector, rulebook().inventory)), hold.name);
    const change = await store.changeLasting(holdKind, clock.now(), extendHold(host, one.id, actor, ms));
    return {
      title: 'Extended',
      tone: 'good',
      facts: change.holds.flatMap(({ selector, until }) =>
        givenFacts([
          ['Held', selectorText(selector)],
          ['Until', { at: until }],
        ]),
      ),
    };
  };
