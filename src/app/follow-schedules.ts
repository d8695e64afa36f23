import type { Config } from '../config/environment/config.ts';
import type { SecretResolver } from '../config/environment/secrets.ts';
import type { Log } from '../model/ports.ts';
import type { Rulebook } from '../model/rulebook.ts';
import { createOnCallSchedules, type OnCallSchedules } from '../schedules/on-call.ts';
import { findUserByEmail } from '../slack/web-api/directory.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Endpoints } from './endpoints.ts';
import type { Observer } from './health/observer.ts';
import { readCalendarInWorker } from './process/parse-in-worker.ts';
import { systemClock } from './process/system-clock.ts';

interface ScheduleParts {
  readonly config: Pick<Config, 'production'>;
  readonly rulebook: () => Rulebook;
  readonly secrets: SecretResolver;
  readonly slack: Pick<SlackConnection, 'lanes'>;
  readonly endpoints: Pick<Endpoints, 'page'>;
  readonly observer: Pick<Observer, 'schedulesAsked'>;
  readonly log: Log;
}

/** The schedules of the rules in force; the one of the playground is the local workspace's. */
export const followSchedules = ({
  config,
  rulebook,
  secrets,
  slack,
  endpoints: { page },
  observer,
  log,
}: ScheduleParts): OnCallSchedules =>
  createOnCallSchedules({
    rulebook,
    clock: systemClock,
    log,
    production: config.production,
    resolveSecret: (reference) => secrets.resolve(reference),
    userByEmail: (email) => findUserByEmail(slack.lanes.background, email),
    readCalendar: readCalendarInWorker,
    localCalendar: page && `${page}/schedule.ics`,
    onAsked: (told) => observer.schedulesAsked(told),
  });
