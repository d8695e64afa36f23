import type { z } from 'zod';

import { sendOnce } from '../http/send.ts';
import { ScheduleError } from './shift.ts';

/** Gets the body of a 200. @throws ScheduleError */
export type Fetch = (url: URL, headers: Readonly<Record<string, string>>) => Promise<string>;

const largestAnswer = 2 * 1024 * 1024;

/** Gives up once the signal is aborted. */
export const fetchWithin =
  (signal: AbortSignal): Fetch =>
  async (url, headers) => {
    const attempt = await sendOnce(url, { headers, signal, largest: largestAnswer });
    const { status } = attempt;
    if (status !== undefined && status !== 200) throw new ScheduleError(refusal(status));
    if (attempt.kind === 'answer') return attempt.body.toString('utf8');
    if (attempt.reason === 'too-large') throw new ScheduleError('answered with more than 2 MiB');
    const code = attempt.code === undefined ? '' : ` (${attempt.code.slice(0, 40)})`;
    throw new ScheduleError(`cannot be reached${code}`);
  };

function refusal(status: number): string {
  if (status >= 300 && status < 400) return `answered ${status}, a redirect, which is not followed`;
  return [401, 403].includes(status)
    ? `answered ${status}: its token or address is not accepted`
    : `answered ${status}`;
}

/** What an answer says. @throws ScheduleError where it is not as it should be */
export function readJson<S extends z.ZodType>(text: string, schema: S): z.output<S> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new ScheduleError('answered with something that cannot be read', { cause: error });
  }
}
