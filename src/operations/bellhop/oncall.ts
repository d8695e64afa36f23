import { z } from 'zod';

import type { OnCall } from '../../model/on-call.ts';
import { operation, type ReadContext } from '../../model/operation.ts';
import { commaSeparated, type Fact, factOf, type ReportParts, type TextPart } from '../../model/report.ts';
import { bellhopTarget } from '../../command/targets.ts';

export const oncall = operation({
  name: 'bellhop.oncall',
  summary: 'Show who is on call by each schedule, and as of when.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop oncall'],
  target: () => bellhopTarget,
  run: (_input, { bellhop }: ReadContext<typeof bellhopTarget>) => Promise.resolve(bellhop.onCall()),
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
              'A schedule is asked once a minute and believed for five: after that nobody counts as on call until it answers.',
            ],
    };
  },
});

function headlineOf(schedules: readonly OnCall[], failing: readonly OnCall[]): string {
  if (schedules.length === 0) return 'No schedule is set: bellhop.yaml has no “schedules”.';
  if (failing.length === 0) return 'Every schedule answers.';
  return `Not answered: ${failing.map(({ schedule, problem }) => `${schedule} (${problem?.text ?? ''})`).join('; ')}.`;
}

const mostUnmatched = 5;

function factsOf({ schedule, people, unmatched, asOf, problem }: OnCall): readonly Fact[] {
  const who = people?.map(({ user, until }): readonly TextPart[] => [
    { person: user },
    ...(until === undefined ? [] : [' until ', { at: until }]),
  ]);
  const named = who?.reduce((before, one) => before.concat(before.length === 0 ? [] : ', ', one), []) ?? [];
  const rest = unmatched.length - mostUnmatched;
  return [
    factOf(schedule, [
      ...(people ? (named.length === 0 ? ['nobody'] : named) : ['cannot be told: nobody counts']),
      ...(asOf === undefined ? [] : [people ? ', as of ' : '; last answered ', { at: asOf }]),
    ]),
    ...(problem ? [factOf(`${schedule} fails`, [`${problem.text}, since `, { at: problem.since }])] : []),
    ...(unmatched.length === 0
      ? []
      : [
          factOf(`${schedule} names nobody in Slack`, [
            ...commaSeparated(unmatched.slice(0, mostUnmatched)),
            ...(rest > 0 ? [` and ${rest} more`] : []),
            ': list them under “people” in bellhop.yaml, or mend the event',
          ]),
        ]),
  ];
}
