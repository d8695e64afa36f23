import { operation, type BellhopTarget, type ReadContext, z } from '../../bellhop/bellhop.ts';
import { given, itemCount, tableOf, texts } from '../../bellhop/parts/report-parts.ts';
import type { Lasting } from '../../model/records/due.ts';
import type { Target } from '../../model/rulebook/target.ts';
import { rescue } from '../../model/values/errors.ts';
import type { ReportParts } from '../../model/values/report.ts';
import { durationText } from '../../text/words.ts';
import { holdKind, inForce, longestHold, selectorText, targetsText } from './hold.ts';
import { asOne, select } from './select.ts';

const shortest = 5 * 60_000;

const words = z
  .array(z.string().trim().min(1, 'is empty').max(300, 'is too long for a name or a label'))
  .max(10, 'has more than 10 labels')
  .meta({ positional: true, itemsMayContainCommas: true, label: 'Target or labels', placeholder: 'db-1' });

const lasting = durationText.refine((ms) => ms >= shortest && ms <= longestHold, 'must be 5m to 24h');

/** The feature acts, see `acts.ts`. */
const byFeature = () => Promise.reject(new TypeError('a hold is not an operation that runs'));
const noReport = (): ReportParts => ({ title: '' });

/** The target of a command without words, which may not be finished, is Bellhop itself. */
const namedTarget = (
  typed: readonly string[] | undefined,
  find: (typed: readonly string[]) => readonly Target[],
): Target => asOne(typed && typed.length > 0 ? find(typed) : []);

const hold = operation({
  name: 'bellhop.hold',
  summary: 'Keep others from changing a target, or all targets with these labels, for a while.',
  risk: 'read',
  atOnce: true,
  input: z.strictObject({
    targets: words
      .min(1, 'is missing')
      .describe('The name of a target, or labels such as env=production tier=db.'),
    reason: z
      .string()
      .trim()
      .min(1, 'is missing')
      .describe('The reason. Everyone who is refused sees it.')
      .meta({ placeholder: 'failover drill' }),
    for: lasting
      .prefault('1h')
      .describe('How long, 5m to 24h. The hold ends by itself.')
      .meta({ placeholder: '1h' }),
  }),
  examples: [
    '/bellhop hold db-1 --for 1h --reason "failover drill"',
    '/bellhop hold env=production tier=db --reason "incident 42"',
  ],
  target: ({ targets }, inventory) => namedTarget(targets, (typed) => select(typed, inventory).targets),
  run: byFeature,
  report: noReport,
});

const release = operation({
  name: 'bellhop.release',
  summary: 'End a hold: your own, or one that the rules let you release.',
  risk: 'read',
  atOnce: true,
  input: z.strictObject({
    targets: words
      .default([])
      .describe('The held target, the labels as you typed them, or the id of the hold.'),
    all: z.boolean().default(false).describe('All of your own holds.'),
  }),
  examples: ['/bellhop release db-1', '/bellhop release --all'],
  // A hold may be released after its target has left bellhop.yaml.
  target: ({ targets }, inventory) =>
    namedTarget(targets, (typed) => rescue(() => select(typed, inventory).targets) ?? []),
  run: byFeature,
  report: noReport,
});

const extend = operation({
  name: 'bellhop.extend',
  summary: 'Extend one of your holds, like the button on its message.',
  risk: 'read',
  atOnce: true,
  input: z.strictObject({
    id: words
      .min(1, 'is missing')
      .describe('The held target, the labels as you typed them, or the id of the hold.'),
    for: lasting
      .prefault('1h')
      .describe('How much longer. At most 24h from now.')
      .meta({ placeholder: '1h' }),
  }),
  examples: ['/bellhop extend db-1 --for 2h'],
  run: byFeature,
  report: noReport,
});

const holds = operation({
  name: 'bellhop.holds',
  summary: 'Show which targets are held, by whom, why and until when.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop holds'],
  run: (_input, { bellhop }: ReadContext<BellhopTarget>) => bellhop.lasting(holdKind),
  report: (all: readonly Lasting[]): ReportParts => {
    const found = inForce(all);
    return {
      title: 'Holds',
      headline: found.length === 0 ? 'Nothing is held.' : `${itemCount(found.length, 'hold')}.`,
      tables: tableOf(
        'Oldest first',
        texts('Held', 'By', 'Until', 'Reason', 'Targets', 'Hold'),
        found.map((one) => [
          selectorText(one.selector),
          { person: one.by.user },
          one.uncertain === undefined ? { at: one.until } : 'not certain',
          one.reason,
          targetsText(one),
          one.id,
        ]),
      ),
      notes: given(
        found.length > 0 &&
          'To end a hold, type /bellhop release. Its holder can do that, and anyone whom a rule allows to.',
      ),
    };
  },
});

export const holdOperations = { hold, release, extend, holds };
