import { nameOnSchedule } from '../model/on-call.ts';
import { z } from 'zod';

import { readJson, type Fetch } from './fetch-answer.ts';
import { ScheduleError, type Shift, type Window } from './shift.ts';

export interface PagerDutySchedule {
  readonly baseUrl: string;
  readonly schedule: string;
  readonly level: number;
  readonly token: string;
}

const mostOnCalls = 100;
const time = z.iso
  .datetime({ offset: true })
  .nullable()
  .transform((text) => (text === null ? undefined : Date.parse(text)));

const reply = z.object({
  more: z.boolean().default(false),
  oncalls: z.array(
    z.object({
      escalation_level: z.int(),
      schedule: z.object({ id: z.string() }).nullable(),
      user: z.object({ id: z.string(), email: z.string().optional() }),
      start: time,
      end: time,
    }),
  ),
});

/**
 * Who is on call at a level of the escalation policies that use the schedule. Source: PagerDuty REST API v2, list on-calls.
 * @throws ScheduleError
 */
export async function askPagerDuty(
  { baseUrl, schedule, level, token }: PagerDutySchedule,
  window: Window,
  fetch: Fetch,
): Promise<readonly Shift[]> {
  const url = new URL(`${baseUrl.replace(/(?<!\/)\/+$/u, '')}/oncalls`);
  url.searchParams.append('schedule_ids[]', schedule);
  url.searchParams.append('include[]', 'users');
  url.searchParams.append('since', new Date(window.from).toISOString());
  url.searchParams.append('until', new Date(window.to).toISOString());
  url.searchParams.append('limit', String(mostOnCalls));
  const headers = {
    accept: 'application/vnd.pagerduty+json;version=2',
    authorization: `Token token=${token}`,
  };
  const { oncalls, more } = readJson(await fetch(url, headers), reply);
  if (more) throw new ScheduleError(`answered with more than ${mostOnCalls} people`);
  return oncalls
    .filter((one) => one.escalation_level === level && one.schedule?.id === schedule)
    .map(({ user, start, end }): Shift => {
      const email = user.email === undefined ? undefined : nameOnSchedule(user.email);
      const id = nameOnSchedule(user.id);
      return { names: email === undefined ? [id] : [email, id], email, from: start, until: end };
    });
}
