import type { Finding } from '../../../model/rulebook/finding.ts';
import type { FittingFile } from '../../../model/rulebook/schema.ts';
import { abridged } from '../../../text/words.ts';

export function* scheduleFindings({
  roles = {},
  schedules = {},
  people = {},
}: FittingFile): Generator<Finding> {
  const known = Object.keys(schedules);
  for (const [role, { schedule: typed } = {}] of Object.entries(roles))
    if (typed !== undefined && !known.includes(typed))
      yield {
        path: ['roles', role, 'schedule'],
        text: `the schedule “${typed.slice(0, 60)}” is not defined under schedules.`,
        misspelt: { typed, known },
      };
  for (const [name, { match = {} } = {}] of Object.entries(schedules))
    if (match !== 'email' && Object.keys(match).length + Object.keys(people).length === 0)
      yield {
        path: ['schedules', name],
        at: 'key',
        text: 'lists no one known in Slack. Set “match: email”, or list people: { alice@example.com: U0ALICE }.',
      };
}

export function* accountFindings({
  accounts = {},
  instances = {},
  containers = {},
}: FittingFile): Generator<Finding> {
  const known = new Set(Object.keys(accounts));
  for (const [section, listed] of Object.entries({ instances, containers }))
    for (const [name, { account: typed } = {}] of Object.entries(listed))
      if (typed !== undefined && !known.has(typed))
        yield {
          path: [section, name, 'account'],
          text: `the account “${abridged(typed)}” is not defined under accounts.`,
          misspelt: { typed, known },
        };
}
