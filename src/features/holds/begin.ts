import { atOnce } from '../../bellhop/at-once.ts';
import { z } from '../../bellhop/bellhop.ts';
import { givenFacts } from '../../bellhop/parts/report-parts.ts';
import type { Context } from '../../model/ports.ts';
import { hasParts } from '../../model/records/whole.ts';
import type { ReportParts } from '../../model/values/report.ts';
import { readReason } from '../../policy/reason.ts';
import { linked, requestItem } from '../../run/items.ts';
import { counted, someOf } from '../../text/words.ts';
import { beginHold } from './change.ts';
import { heldBy, type Hold, holdKind, inForce, maxNames, targetsText, whatOf } from './hold.ts';
import { howLong, targetWords } from './input.ts';
import { mostNamed } from './render.ts';
import { heldToo, select, selectedTarget } from './select.ts';

export const hold = atOnce({
  name: 'bellhop.hold',
  summary: 'Keep others from changing a target, or all targets that have given labels, for a while.',
  input: z.strictObject({
    targets: targetWords
      .min(1, 'is missing')
      .describe('The name of a target, or labels such as env=production tier=db.'),
    reason: z
      .string()
      .trim()
      .min(1, 'is missing')
      .describe('The reason. Everyone who is refused sees it.')
      .meta({ placeholder: 'failover drill' }),
    for: howLong('How long, 5m to 24h. Without it: 1h. The hold ends by itself.'),
  }),
  examples: [
    '/bellhop hold db-1 --for 1h --reason "failover drill"',
    '/bellhop hold env=production tier=db --reason "incident 42"',
  ],
  target: ({ targets }, inventory) => selectedTarget(targets, inventory),
  async act({ targets: words, reason: typed, for: ms }, { caller, target, assertAllowed }, context) {
    await assertAllowed(target);
    const { clock, rulebook, directory, ids } = context;
    const { selector, targets } = select(words, rulebook().inventory);
    const reason = await readReason(context, typed);
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
      version: 0,
    };
    return answer(context, one, await beginHold(context, one));
  },
});

/** Further items would need a second page, and a command that takes effect at once has only one page. */
const maxListed = 12;

type Begun = Awaited<ReturnType<typeof beginHold>>;

async function answer(context: Context, one: Hold, begun: Begun): Promise<ReportParts> {
  const { registry, rulebook, store } = context;
  const too = heldToo(one, inForce(await store.lasting(holdKind)), rulebook().inventory);
  const replaced = begun.holds.find(({ ended }) => ended);
  const running = begun.running.filter((request) => !hasParts(request));
  const others = running.slice(maxListed).map(({ id, target }) => `${target.name} (${id})`);
  const items = await linked(context, running.slice(0, maxListed), (request) =>
    requestItem(registry, request),
  );
  return {
    title: `${whatOf(one)} is held`,
    tone: 'good',
    headline: too.length === 0 ? "Others can't change it. Reads still work." : tooText(too),
    facts: givenFacts([
      ['Until', { at: one.until }],
      ...too.slice(0, mostNamed).map((other) => ['Also held', heldBy(other, whatOf(other))] as const),
      ['Reason', one.reason],
      ['Targets', targetsText(one)],
      ['Hold', one.id],
      ['Also running', others.join(', ')],
      ['Replaces', replaced && [`your hold ${replaced.id} until `, { at: replaced.until }]],
    ]),
    items: [...items],
    notes: [
      running.length === 0
        ? 'No change is running there.'
        : `${counted(running.length, 'change')} had already started there, and will finish.`,
    ],
  };
}

/** For example `Lee holds env=staging, too. You can't change its targets, either.` */
function tooText(too: readonly Hold[]): string {
  const whats = new Set(too.map(whatOf));
  const names = new Set(too.map(({ name }) => name));
  const targets = too.some(({ selector }) => 'labels' in selector) ? 'its targets' : 'it';
  const them = whats.size === 1 ? targets : 'those targets';
  return `${someOf(names)} ${names.size === 1 ? 'holds' : 'hold'} ${someOf(whats)}, too. You can't change ${them}, either.`;
}
