import type { Members } from '../../model/members.ts';
import { operation, type ReadContext, z, type BellhopTarget } from '../../bellhop/bellhop.ts';
import type { Fact, ReportParts } from '../../model/values/report.ts';
import { commaSeparated, type TextPart } from '../../text/parts.ts';
import { givenFacts } from '../../bellhop/parts/report-parts.ts';
import { scheduleKind } from './kind.ts';
import { schedulesSection } from './section.ts';

export const oncall = operation({
  name: 'bellhop.oncall',
  summary: 'Show who is on call, per schedule.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop oncall'],
  run(_input, { bellhop }: ReadContext<BellhopTarget>) {
    const names = Object.keys(schedulesSection.of(bellhop.rulebook()));
    return Promise.resolve(names.map((name) => bellhop.membersOf({ key: scheduleKind.key, name })));
  },
  report: (schedules): ReportParts => {
    const failing = schedules.filter(({ problem }) => problem);
    return {
      title: 'On call',
      tone: failing.length === 0 ? 'good' : 'bad',
      headline: headlineOf(schedules, failing),
      facts: schedules.flatMap(factsOf),
      notes:
        schedules.length === 0
          ? []
          : [
              'Schedules are polled every minute. After 5 minutes without an answer, rules for people on call allow no one, and rules against them deny everyone.',
            ],
    };
  },
});

function headlineOf(schedules: readonly Members[], failing: readonly Members[]): string {
  if (schedules.length === 0)
    return 'No schedules are configured. Add them under “schedules” in bellhop.yaml.';
  if (failing.length === 0) return 'All schedules are responding.';
  return failing
    .map(({ source, problem }) => `Schedule “${source}” can't be read: it ${problem?.text ?? ''}.`)
    .join(' ');
}

const maxUnmatched = 5;

function factsOf({ source, people, unmatched, asOf, problem }: Members): readonly Fact[] {
  const who = people?.map(({ user, until }): readonly TextPart[] => [
    { person: user },
    ...(until === undefined ? [] : [' until ', { at: until }]),
  ]);
  const named = who?.reduce((before, one) => before.concat(before.length === 0 ? [] : ', ', one), []) ?? [];
  const rest = unmatched.length - maxUnmatched;
  return givenFacts([
    [
      source,
      [
        ...(people ? (named.length === 0 ? ['no one'] : named) : ['unknown (treated as no one)']),
        ...(asOf === undefined ? [] : [people ? ', as of ' : ', last answer ', { at: asOf }]),
      ],
    ],
    [`${source} failing`, problem && ['since ', { at: problem.since }, `: it ${problem.text}`]],
    [
      `${source}: no match in Slack`,
      unmatched.length > 0 && [
        ...commaSeparated(unmatched.slice(0, maxUnmatched)),
        ...(rest > 0 ? [` and ${rest} more`] : []),
        '. List them under “people” in bellhop.yaml, or fix the event',
      ],
    ],
  ]);
}
