import type { OutsidePorts } from '../../host/feature.ts';
import type { Finding } from '../../model/rulebook/finding.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import type { SlackApi } from '../../slack/web-api/slack-api.ts';
import { readCalendarInWorker } from './calendar/elsewhere.ts';
import { createOnCallSchedules } from './on-call.ts';
import { schedulesSection } from './section.ts';

export async function checkSchedules(
  rulebook: Rulebook,
  api: SlackApi,
  ports: OutsidePorts,
): Promise<readonly Finding[]> {
  const schedules = createOnCallSchedules({
    ...ports,
    schedules: () => schedulesSection.of(rulebook),
    // Longer than a poll, because a calendar that is slow today is not a mistake in the file.
    answerWithinMs: 15_000,
    userByEmail: api.userByEmail,
    readCalendar: readCalendarInWorker,
  });
  await schedules.refresh();
  return schedules.now().flatMap(({ source, problem, unmatched }): readonly Finding[] => {
    const at = { path: ['schedules', source], at: 'key' as const };
    if (problem) return [{ ...at, text: `${problem.text}.` }];
    return unmatched.map((person) => ({
      ...at,
      text: `names “${person.slice(0, 100)}”, who was not found in Slack. List them under people.`,
    }));
  });
}
