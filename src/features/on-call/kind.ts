import { z } from 'zod';

import { entryData } from '../../model/audit-event.ts';
import type { Members, SourceAnswer, SourceKind } from '../../model/members.ts';
import { membership } from '../../model/values/actor.ts';
import { type TextPart, commaSeparated } from '../../text/parts.ts';
import { counted } from '../../text/words.ts';

const recorded = entryData(
  'onCall',
  z
    .array(
      z.object({
        schedule: z.string(),
        held: membership,
        at: z.number().int().optional(),
        users: z.array(z.string()).readonly().optional(),
      }),
    )
    .readonly(),
);

export const scheduleKind: SourceKind = {
  key: 'schedule',
  description: 'a schedule whose people have the role while on call, except guests',
  assumed: { key: 'oncall', description: 'who is on call, `primary: [U…]`' },
  answers: {
    of: (entry) =>
      recorded
        .of(entry)
        ?.map(({ schedule: source, held, at, users }) => ({ kind: scheduleKind, source, held, at, users })),
    addTo: (draft, answers) =>
      recorded.addTo(
        draft,
        answers.map(({ source: schedule, held, at, users }) => ({ schedule, held, at, users })),
      ),
  },
  words: {
    label: 'On call',
    now: onCallText,
    named: (schedule, names) => `On call now (${schedule}): ${names}.`,
    unknown(schedules) {
      const names = schedules.join(' and ');
      const which = schedules.length === 1 ? `The schedule ${names}` : `The schedules ${names}`;
      return `${which} can't be read right now, so Bellhop can't tell who is on call`;
    },
    because: (schedules) =>
      `on call in ${schedules.length === 1 ? 'schedule' : 'schedules'} ${schedules.join(' and ')}`,
    answer: answerText,
  },
};

const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

function answerText({ source, held, at, users = [] }: SourceAnswer): string {
  if (held === 'unknown') {
    const since = at === undefined ? '' : ` since ${utc(at)}`;
    return `schedule ${source} has not answered${since}, so Bellhop can't tell who is on call`;
  }
  const asOf = at === undefined ? '' : `, as of ${utc(at)}`;
  const on = `on call in schedule ${source}${asOf}`;
  return held === 'held' ? on : `not ${on} (on call: ${users.length === 0 ? 'no one' : users.join(', ')})`;
}

const maxNamed = 10;

function onCallText({ source, people, unmatched, asOf, problem }: Members): readonly TextPart[] {
  if (!people) {
    const silent = `Bellhop can't tell who is on call, because schedule ${source} `;
    return problem
      ? [`${silent}has been failing since `, { at: problem.since }, `: it ${problem.text}`]
      : [`${silent}hasn't answered yet`];
  }
  const named = people.slice(0, maxNamed).map(({ user }) => ({ person: user }));
  const [first] = people;
  const ends = people.length === 1 && first?.until !== undefined ? ['until ', { at: first.until }, ', '] : [];
  const others = `${counted(unmatched.length, 'person', 'people')} not found in Slack`;
  const none = unmatched.length === 0 ? 'no one' : `no one, because the schedule lists ${others}`;
  return [
    'On call now: ',
    ...(named.length === 0 ? [none] : commaSeparated(named)),
    ...(named.length === 0 || unmatched.length === 0 ? [] : [`, plus ${others}`]),
    ` (${source}, `,
    ...ends,
    ...(asOf === undefined ? ['assumed'] : ['as of ', { at: asOf }]),
    ')',
  ];
}
