import { z } from 'zod';

import { ScheduleError, type Shift, type Window } from './calendar/shift.ts';
import { nameOnSchedule } from '../../text/words.ts';
import type { ScheduleSource } from './section.ts';
import { decoded, plainBody } from '../../http/body.ts';
import { type Answer, reasonText } from '../../http/exchange.ts';
import { sendOnce } from '../../http/send.ts';

const maxOnCalls = 100;
const time = z.iso
  .datetime({ offset: true })
  .nullable()
  .transform((text) => (text === null ? undefined : Date.parse(text)));

const pagerDutyReply = z.object({
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

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/u, '');

/**
 * Asks about one level of the escalation policies that use the schedule. Source: PagerDuty REST API v2, list on-calls.
 * @throws ScheduleError
 */
export async function askPagerDuty(
  { url: base, schedule, level, token }: Extract<ScheduleSource, { kind: 'pagerduty' }>,
  window: Window,
  fetch: Fetch,
): Promise<readonly Shift[]> {
  const url = new URL(`${withoutSlash(base)}/oncalls`);
  url.searchParams.append('schedule_ids[]', schedule);
  url.searchParams.append('include[]', 'users');
  url.searchParams.append('since', new Date(window.from).toISOString());
  url.searchParams.append('until', new Date(window.to).toISOString());
  url.searchParams.append('limit', String(maxOnCalls));
  const headers = {
    accept: 'application/vnd.pagerduty+json;version=2',
    authorization: `Token token=${token}`,
  };
  const { oncalls, more } = readJson(await fetch(url, headers), pagerDutyReply);
  if (more) throw new ScheduleError(`answered with more than ${maxOnCalls} people`);
  return oncalls
    .filter((one) => one.escalation_level === level && one.schedule?.id === schedule)
    .map(({ user, start, end }): Shift => {
      const email = user.email === undefined ? undefined : nameOnSchedule(user.email);
      const id = nameOnSchedule(user.id);
      return { names: email === undefined ? [id] : [email, id], email, from: start, until: end };
    });
}

const jsmReply = z.object({ onCallUsers: z.array(z.string().min(1).max(200)).max(100) });

/**
 * Names are Atlassian account ids. The end of the shift is unknown. Source: Jira Service Management operations REST API, schedule on-calls,
 * flat.
 * @throws ScheduleError
 */
export async function askJsm(
  { url: base, cloud, schedule, user, token }: Extract<ScheduleSource, { kind: 'jsm' }>,
  fetch: Fetch,
): Promise<readonly Shift[]> {
  const url = new URL(
    `${withoutSlash(base)}/jsm/ops/api/${cloud}/v1/schedules/${schedule}/on-calls?flat=true`,
  );
  const credentials = Buffer.from(`${user}:${token}`).toString('base64');
  const headers = { accept: 'application/json', authorization: `Basic ${credentials}` };
  const { onCallUsers } = readJson(await fetch(url, headers), jsmReply);
  return onCallUsers.map((id) => ({ names: [nameOnSchedule(id)] }));
}

/** Only for responses with status 200. @throws ScheduleError */
export type Fetch = (url: URL, headers: Readonly<Record<string, string>>) => Promise<string>;

const largestAnswer = 2 * 1024 * 1024;

export const fetchWithin =
  (signal: AbortSignal): Fetch =>
  async (url, headers) => {
    const attempt = await sendOnce(url, { headers, signal, largest: largestAnswer });
    const { status } = attempt;
    if (status !== undefined && status !== 200) throw new ScheduleError(refusal(status));
    if (attempt.kind === 'answer') return textOf(attempt);
    if (attempt.reason === 'too-large') throw new ScheduleError('answered with more than 2 MiB');
    throw new ScheduleError(`can't be reached${reasonText(attempt)}`);
  };

/** @throws ScheduleError */
function textOf(answer: Answer): string {
  try {
    const bytes = plainBody(answer.body, largestAnswer).toString('latin1');
    // Some programs fold a line inside a UTF-8 character.
    const letters = bytes.replaceAll(/\r?\n[ \t](?=[\x80-\xBF])/g, '');
    return decoded(Buffer.from(letters, 'latin1'), String(answer.headers['content-type']));
  } catch (error) {
    const isLarge = error instanceof RangeError;
    const what = isLarge ? 'more than 2 MiB' : 'compressed data that is cut off or damaged';
    throw new ScheduleError(`answered with ${what}`, { cause: error });
  }
}

function refusal(status: number): string {
  if (status >= 300 && status < 400) return `answered ${status}; redirects are not followed`;
  return [401, 403].includes(status)
    ? `answered ${status}; check the token and the address`
    : `answered ${status}`;
}

/** @throws ScheduleError if the answer is invalid */
function readJson<S extends z.ZodType>(text: string, schema: S): z.output<S> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new ScheduleError('answered with something unreadable', { cause: error });
  }
}
