import { canonical } from '../../model/records/audit.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { Member, Members } from '../../model/members.ts';
import { type Clock, type Log, within } from '../../model/ports.ts';
import { remembered } from '../../model/remembered.ts';
import { ScheduleError, type Shift, type Window } from './calendar/shift.ts';
import { scheduleKind } from './kind.ts';
import type { Schedule, Schedules, ScheduleSource } from './section.ts';
import { type Fetch, askJsm, askPagerDuty, fetchWithin } from './on-call-services.ts';

/** In milliseconds. Schedules are polled again sooner after a failure. */
const askAgainMs = 60_000;
const retryMs = 15_000;
/** In milliseconds. */
const believedMs = 5 * 60_000;
const usualAnswerMs = 3000;

interface OnCallSchedules {
  /** Without waiting, because schedules are polled in the background. */
  readonly onCall: (name: string) => Members;
  readonly now: () => readonly Members[];
  /** Polls only the due schedules, each once at a time. Resolves when all have answered or failed. Never rejects. */
  readonly refresh: () => Promise<void>;
}

interface OnCallPorts {
  readonly schedules: () => Schedules;
  readonly clock: Clock;
  readonly log: Log;
  /** In milliseconds. Default: 3 s. A schedule that takes longer counts as not answering. */
  readonly answerWithinMs?: number;
  /** In production, only https is allowed. */
  readonly production: boolean;
  /** The reference is `secret:name`. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  /** Resolves to undefined if no Slack member or guest has this address. Rejects if Slack does not answer. */
  readonly userByEmail: (email: string) => Promise<string | undefined>;
  /** Runs `readCalendar` of `ical.ts` outside the event loop, because that may take a second. @throws ScheduleError */
  readonly readCalendar: (
    text: string,
    window: Window,
    timeZone: string | undefined,
    signal: AbortSignal,
  ) => Promise<readonly Shift[]>;
  readonly localCalendar?: string | undefined;
  /** Called after each round in which a schedule was polled, with the answers of all schedules. */
  readonly onAsked?: ((schedules: readonly Members[]) => void) | undefined;
}

interface MatchedShift {
  readonly shift: Shift;
  /** The Slack id. Undefined if the person was not found in Slack. */
  readonly user: string | undefined;
}

interface Known {
  readonly definition: string;
  shifts: readonly MatchedShift[];
  asOf?: number;
  askedAt?: number;
  problem?: NonNullable<Members['problem']> | undefined;
  /** Set if Slack did not look up a person. That shift puts no one on call. */
  refused?: Members['problem'];
  asking?: Promise<void> | undefined;
}

export function createOnCallSchedules(ports: OnCallPorts): OnCallSchedules {
  const { schedules, clock, log, onAsked, answerWithinMs = usualAnswerMs } = ports;
  const all = new Map<string, Known>();

  /** A schedule whose settings changed counts as a new schedule. */
  const knownOf = (name: string, schedule: Schedule): Known => {
    const definition = canonical(schedule);
    const before = all.get(name);
    const known = before?.definition === definition ? before : { definition, shifts: [] };
    all.set(name, known);
    return known;
  };

  const slack = lookUpsOf(ports);

  const askAgain = async (name: string, schedule: Schedule, known: Known): Promise<void> => {
    const now = clock.now();
    known.askedAt = now;
    try {
      const shifts = await within(clock, answerWithinMs, (signal) =>
        askSource(ports, schedule.source, {
          window: { from: now, to: now + believedMs + askAgainMs },
          fetch: fetchWithin(signal),
          signal,
        }),
      );
      if (!shifts) throw new ScheduleError(`did not answer within ${answerWithinMs / 1000} s`);
      const users = await Promise.all(shifts.map((shift) => slack.userOf(schedule, shift)));
      known.shifts = shifts.map((shift, index) => ({ shift, user: users[index]?.id }));
      known.refused = users.includes(undefined)
        ? { text: slack.refusal(), since: known.refused?.since ?? now }
        : undefined;
      known.asOf = now;
      if (known.problem) log.info({ schedule: name }, 'schedule answers again');
      known.problem = undefined;
    } catch (error) {
      const text = error instanceof Error ? error.message : "can't be polled";
      if (known.problem?.text !== text) log.warn({ err: error, schedule: name }, 'schedule not read');
      known.problem = { text, since: known.problem?.since ?? now };
    } finally {
      known.asking = undefined;
    }
  };

  const onCall = (name: string): Members => {
    const schedule = schedules()[name];
    return told(name, schedule && knownOf(name, schedule), clock.now());
  };
  const now = (): readonly Members[] => Object.keys(schedules()).map(onCall);

  return {
    onCall,
    now,
    async refresh() {
      const current = schedules();
      for (const name of all.keys()) if (!Object.hasOwn(current, name)) all.delete(name);
      const due = Object.entries(current)
        .map(([name, schedule]) => ({ name, schedule, known: knownOf(name, schedule) }))
        .filter(({ known }) => known.asking !== undefined || isDue(known, clock.now()));
      await Promise.all(
        due.map(({ name, schedule, known }) => (known.asking ??= askAgain(name, schedule, known))),
      );
      if (due.length > 0) onAsked?.(now());
    },
  };
}

const isDue = ({ askedAt, problem }: Known, now: number): boolean =>
  askedAt === undefined || Math.abs(now - askedAt) >= (problem ? retryMs : askAgainMs);

function lookUpsOf({ clock, userByEmail, answerWithinMs = usualAnswerMs }: OnCallPorts) {
  let refusal = 'Slack is not responding';
  const look = async (email: string) => ({ id: await userByEmail(email) });
  const users = remembered(clock, look, {
    freshMs: believedMs,
    keptMs: 12 * believedMs,
    waitMs: answerWithinMs,
    onFailure(error) {
      refusal = error instanceof BellhopError ? error.message.replace(/\.$/u, '') : 'Slack is not responding';
    },
  });
  return {
    refusal: () => `names people by e-mail address, which Slack can't look up: ${refusal}`,
    /** Resolves to undefined if Slack refuses, and to `{ id: undefined }` if Slack has no such person. */
    async userOf({ people, byEmail }: Schedule, { names, email }: Shift) {
      const listed = names.find((name) => Object.hasOwn(people, name));
      if (listed !== undefined) return { id: people[listed] };
      if (!byEmail || email === undefined) return { id: undefined };
      return users(email);
    },
  };
}

function told(name: string, known: Known | undefined, now: number): Members {
  const { shifts = [], asOf, problem = known?.refused } = known ?? {};
  const about = { kind: scheduleKind, source: name, asOf, problem };
  // The difference is absolute, because a clock that was set back would make an answer seem fresh.
  if (asOf === undefined || Math.abs(now - asOf) >= believedMs) return { ...about, unmatched: [] };
  const current = shifts.filter(({ shift: { from = 0, until = Infinity } }) => from <= now && now < until);
  const people = new Map<string, Member>();
  for (const { user, shift } of current) {
    const { until } = shift;
    if (user === undefined) continue;
    const before = people.get(user);
    const later = before && (before.until === undefined || (until !== undefined && before.until >= until));
    if (!later) people.set(user, { user, until });
  }
  const unmatched = current.flatMap(({ user, shift }) => (user === undefined ? [shift.names[0]] : []));
  return { ...about, people: [...people.values()], unmatched: [...new Set(unmatched)] };
}

interface Asking {
  readonly window: Window;
  readonly fetch: Fetch;
  /** Aborted once no one is waiting for the answer. */
  readonly signal: AbortSignal;
}

async function askSource(
  ports: OnCallPorts,
  source: ScheduleSource,
  { window, fetch, signal }: Asking,
): Promise<readonly Shift[]> {
  if (source.kind === 'ical') {
    const text = await fetch(calendarUrl(ports, source.address), { accept: 'text/calendar' });
    return ports.readCalendar(text, window, source.timeZone, signal);
  }
  safeUrl(ports, source.url);
  const known = { ...source, token: secretOf(ports, source.token) };
  return known.kind === 'pagerduty' ? askPagerDuty(known, window, fetch) : askJsm(known, fetch);
}

/** @throws ScheduleError */
function calendarUrl(ports: OnCallPorts, address: string): URL {
  if (address !== 'local')
    return safeUrl(ports, address.startsWith('secret:') ? secretOf(ports, address) : address);
  if (ports.localCalendar !== undefined) return new URL(ports.localCalendar);
  throw new ScheduleError('is the playground calendar, which is not running; configure an address');
}

/** @throws ScheduleError for an invalid or denied URL, without repeating the URL, which may come from a secret */
function safeUrl({ production }: OnCallPorts, text: string): URL {
  const url = URL.parse(text.trim().replace(/^webcal:/iu, 'https:'));
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && !production)) return url;
  throw new ScheduleError('has no https:// address');
}

/** @throws ScheduleError */
function secretOf({ resolveSecret }: OnCallPorts, reference: string): string {
  try {
    return resolveSecret(reference);
  } catch (error) {
    if (error instanceof BellhopError) throw new ScheduleError(`can't be polled: ${error.message}`);
    throw error;
  }
}
