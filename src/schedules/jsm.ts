import { nameOnSchedule } from '../model/on-call.ts';
import { z } from 'zod';

import { readJson, type Fetch } from './fetch-answer.ts';
import type { Shift } from './shift.ts';

export interface JsmSchedule {
  readonly baseUrl: string;
  readonly cloud: string;
  readonly schedule: string;
  readonly user: string;
  readonly token: string;
}

const reply = z.object({ onCallUsers: z.array(z.string().min(1).max(200)).max(100) });

/**
 * Who is on call now, by Atlassian account id; until when is not told. Source: Jira Service Management operations REST API,
 * schedule on-calls, flat.
 * @throws ScheduleError
 */
export async function askJsm(
  { baseUrl, cloud, schedule, user, token }: JsmSchedule,
  fetch: Fetch,
): Promise<readonly Shift[]> {
  const base = baseUrl.replace(/(?<!\/)\/+$/u, '');
  const url = new URL(`${base}/jsm/ops/api/${cloud}/v1/schedules/${schedule}/on-calls?flat=true`);
  const credentials = Buffer.from(`${user}:${token}`).toString('base64');
  const headers = { accept: 'application/json', authorization: `Basic ${credentials}` };
  const { onCallUsers } = readJson(await fetch(url, headers), reply);
  return onCallUsers.map((id) => ({ names: [nameOnSchedule(id)] }));
}
