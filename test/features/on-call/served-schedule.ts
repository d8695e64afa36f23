import type { IncomingMessage } from 'node:http';

import { onTestFinished } from 'vitest';

import { BellhopError } from '../../../src/model/values/errors.ts';
import type { Members } from '../../../src/model/members.ts';
import type { Schedule, ScheduleSource } from '../../../src/features/on-call/section.ts';
import { readCalendar } from '../../../src/features/on-call/calendar/ical.ts';
import { createOnCallSchedules } from '../../../src/features/on-call/on-call.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { silentLog } from '../../log.ts';
import { serve } from '../../serve.ts';

interface Options {
  readonly source?: (url: string) => ScheduleSource;
  readonly people?: Schedule['people'];
  readonly byEmail?: boolean;
  readonly userByEmail?: (email: string) => Promise<string | undefined>;
  readonly production?: boolean;
}

/** The schedule `primary`, kept by a server, at 03:00 UTC on 21 November 2026. */
export async function openSchedule({
  source,
  people,
  byEmail = false,
  userByEmail,
  production = false,
}: Options = {}) {
  const server = await openScheduleServer();
  const clock = createDrivenClock();
  const schedules: Record<string, Schedule> = {
    primary: {
      source: source?.(server.url) ?? { kind: 'ical', address: `${server.url}/on-call.ics` },
      people: people ?? { 'alice@example.com': 'U0ALICE', 'bob@example.com': 'U0BOB' },
      byEmail,
    },
  };
  const told: (readonly Members[])[] = [];
  const onCall = createOnCallSchedules({
    schedules: () => schedules,
    clock,
    log: silentLog,
    production,
    resolveSecret(reference) {
      if (reference === 'secret:pd') return 'token-of-the-test';
      throw new BellhopError('configuration', `There is no ${reference}.`);
    },
    userByEmail: userByEmail ?? (() => Promise.reject(new Error('unexpected lookup'))),
    readCalendar: async (text, window, timeZone) => readCalendar(text, window, timeZone),
    onAsked: (all) => told.push(all),
  });
  const who = (): readonly string[] | undefined => onCall.onCall('primary').people?.map(({ user }) => user);
  const later = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await onCall.refresh();
  };
  return { server, clock, schedules, told, onCall, who, later };
}

interface Asked {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface ScheduleServer {
  readonly url: string;
  readonly asked: Asked[];
  /** The answer from now on; undefined: never. */
  answer: { status?: number; body: string | Uint8Array; headers?: Record<string, string> } | undefined;
}

async function openScheduleServer(): Promise<ScheduleServer> {
  const asked: Asked[] = [];
  const { url, close } = await serve((request, response) => {
    asked.push({ method: request.method, path: request.url ?? '', headers: request.headers });
    const { answer } = schedules;
    if (!answer) return;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  });
  onTestFinished(close);
  const schedules: ScheduleServer = { url, asked, answer: { body: '' } };
  return schedules;
}
