import { onTestFinished } from 'vitest';

import { BellhopError } from '../../src/model/values/errors.ts';
import type { OnCall } from '../../src/model/values/on-call.ts';
import type { Schedule, ScheduleSource } from '../../src/model/rulebook/rulebook.ts';
import { readCalendar } from '../../src/schedules/ical.ts';
import { createOnCallSchedules } from '../../src/schedules/on-call.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { silentLog } from '../log.ts';
import { openScheduleServer } from './schedule-server.ts';

interface Options {
  readonly source?: (url: string) => ScheduleSource;
  readonly people?: Schedule['people'];
  readonly byEmail?: boolean;
  readonly userByEmail?: (email: string) => Promise<string | undefined>;
  readonly production?: boolean;
}

/** The schedule `primary`, kept by a server, at 03:00 UTC on 21 November 2026. */
export async function openStage({
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
  const told: (readonly OnCall[])[] = [];
  const onCall = createOnCallSchedules({
    rulebook: () => ({ schedules }),
    clock,
    log: silentLog,
    production,
    resolveSecret(reference) {
      if (reference === 'secret:pd') return 'token-of-the-test';
      throw new BellhopError('configuration', `There is no ${reference}.`);
    },
    userByEmail: userByEmail ?? (() => Promise.reject(new Error('nobody asked for this'))),
    readCalendar: async (text, window, timeZone) => readCalendar(text, window, timeZone),
    onAsked: (all) => told.push(all),
  });
  onTestFinished(() => onCall.close());
  const who = (): readonly string[] | undefined => onCall.onCall('primary').people?.map(({ user }) => user);
  const later = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await onCall.refresh();
  };
  return { server, clock, schedules, told, onCall, who, later };
}
