import type { Finding } from '../../yaml/findings.ts';
import { recordOf, textOf, type Given, type Outline } from './outline.ts';

/** Roles of a schedule that nothing defines, and schedules whose people nobody can be. */
export function scheduleFindings({ roleSchedules, schedules: written, people }: Outline): readonly Finding[] {
  const known = Object.keys(written);
  return [
    ...roleSchedules.flatMap(([role, name]): readonly Finding[] =>
      name === '' || known.includes(name)
        ? []
        : [
            {
              path: ['roles', role, 'schedule'],
              text: `the schedule “${name.slice(0, 60)}” is not defined under schedules.`,
              misspelt: { typed: name, known },
            },
          ],
    ),
    ...known.flatMap((name) => unmatchable(name, recordOf(written, name), people)),
  ];
}

function unmatchable(name: string, written: Given, people: Given): readonly Finding[] {
  const maps = [people, recordOf(written, 'match')].flatMap((map) => Object.keys(map));
  if (maps.length > 0 || textOf(written, 'match') !== '') return [];
  const text =
    'says nobody that Slack knows: set “match: email”, or list people: { alice@example.com: U0ALICE }.';
  return [{ path: ['schedules', name], at: 'key', text }];
}
