import type { Members } from '../../model/members.ts';
import { mention, safeLine, slackDateTime } from '../../slack/render/text.ts';

const maxNamed = 5;

export function homeLine({ source, people }: Members): string {
  const name = safeLine(source, 60);
  if (!people) return `*On call (${name}):* unknown, because the schedule can't be read right now.`;
  const named = people
    .slice(0, maxNamed)
    .map(
      ({ user, until }) =>
        `${mention({ user })}${until === undefined ? '' : ` until ${slackDateTime(until)}`}`,
    );
  return `*On call (${name}):* ${named.join(', ') || 'no one'}.`;
}
