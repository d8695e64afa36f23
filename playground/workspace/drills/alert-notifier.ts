import { request } from 'undici';
import type { Clock } from '../clock.ts';
import { groupKeyOf, webhookBody, type FiredAlert } from './alertmanager-payload.ts';
import type { WireLog } from './wire-log.ts';

/** The URL for alerts, and the `Authorization: Bearer` secret. */
export interface AlertHook {
  readonly url: string;
  readonly secret: string;
}

/**
 * A group of alerts, here of a single one, in its current state. A retry sends the state at that time, not the first
 * one.
 */
export interface AlertGroup {
  alert: FiredAlert;
  /** Whether the group belongs to a storm, which would fill the wire log. */
  readonly isStorm: boolean;
  /** When the current state began to wait for sending, in epoch milliseconds. */
  since: number;
  attempts: number;
  /** The problem of the last attempt, "" if there was none. */
  problem: string;
  /** Whether the notification was accepted or given up. */
  settled: boolean;
}

/** Notifies a webhook of groups as Alertmanager does: a few at a time, again after 5xx, 429 or no answer. */
export interface AlertNotifier {
  readonly groups: ReadonlyMap<string, AlertGroup>;
  /** Sets the group's state, which is sent with the next `flush`. */
  set(alert: FiredAlert, isStorm: boolean): AlertGroup;
  flush(): void;
  /** How many groups the next flush would send. */
  waiting(): number;
  /** Sends a group at once; its `problem` is the result. */
  send(group: AlertGroup): Promise<void>;
  close(): void;
}

const MOST_IN_FLIGHT = 16;
const ANSWER_MS = 10_000;
/** The wait before a notification is sent again, and how it grows. */
const FIRST_RETRY_MS = 500;
const RETRY_GROWTH = 1.5;
const LONGEST_RETRY_MS = 60_000;
/** After this time Alertmanager gives up a notification. */
const GIVE_UP_MS = 5 * 60_000;

interface NotifierParts {
  readonly hook: AlertHook;
  readonly clock: Clock;
  readonly wire: WireLog;
  /** Called after each attempt. */
  readonly changed: (group: AlertGroup) => void;
}

export function createAlertNotifier(parts: NotifierParts): AlertNotifier {
  const { clock, changed } = parts;
  const groups = new Map<string, AlertGroup>();
  const waiting = new Set<AlertGroup>();
  let inFlight = 0;
  let isClosed = false;

  function flush(): void {
    for (const group of waiting) {
      if (inFlight >= MOST_IN_FLIGHT || isClosed) return;
      inFlight += 1;
      void send(group).finally(() => {
        inFlight -= 1;
        flush();
      });
    }
  }

  async function send(group: AlertGroup): Promise<void> {
    waiting.delete(group);
    const { alert } = group;
    const answer = await post(parts, group);
    // The group's newer state is already waiting.
    if (group.alert !== alert || isClosed) return;
    group.problem = answer.problem;
    group.attempts += 1;
    const retryAt = clock.now() + waitOf(group, answer);
    group.settled = !answer.mayRetry || retryAt > group.since + GIVE_UP_MS;
    if (answer.problem === '' && alert.endsAt !== undefined) groups.delete(groupKeyOf(alert));
    if (!group.settled)
      clock.at(retryAt, () => {
        if (group.alert !== alert) return;
        waiting.add(group);
        flush();
      });
    changed(group);
  }

  return {
    groups,
    set(alert, isStorm) {
      const key = groupKeyOf(alert);
      const fresh = { alert, since: clock.now(), attempts: 0, problem: '', settled: false };
      const group: AlertGroup = Object.assign(groups.get(key) ?? { isStorm }, fresh);
      groups.set(key, group);
      waiting.add(group);
      return group;
    },
    flush,
    waiting: () => waiting.size,
    send,
    close() {
      isClosed = true;
    },
  };
}

function waitOf({ attempts }: AlertGroup, { retryAfterMs }: HookAnswer): number {
  const grown = Math.min(FIRST_RETRY_MS * RETRY_GROWTH ** (attempts - 1), LONGEST_RETRY_MS);
  return Math.max(grown, retryAfterMs);
}

interface HookAnswer {
  /** HTTP status, 0 if no answer came. */
  readonly status: number;
  readonly text: string;
  /** "" for 2xx. */
  readonly problem: string;
  readonly mayRetry: boolean;
  /** How long the app asks the playground to wait. */
  readonly retryAfterMs: number;
}

async function post(
  { hook, clock, wire }: NotifierParts,
  { alert, isStorm }: AlertGroup,
): Promise<HookAnswer> {
  const at = clock.now();
  const body = JSON.stringify(webhookBody(alert));
  const answer = await answerOf(hook, body);
  if (!isStorm)
    wire.record({
      direction: 'to-bot',
      at,
      duration_ms: clock.now() - at,
      name: 'alert',
      status: answer.status,
      error: answer.problem,
      retry: 0,
      request: body,
      response: answer.text,
    });
  return answer;
}

async function answerOf({ url, secret }: AlertHook, body: string): Promise<HookAnswer> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'user-agent': 'Alertmanager/0.28.1',
      },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { statusCode: status } = answer;
    const seconds = Number(answer.headers['retry-after'] ?? 0);
    return {
      status,
      text: await answer.body.text(),
      problem: status >= 200 && status < 300 ? '' : `The app answered ${status}.`,
      mayRetry: status >= 500 || status === 429,
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0,
    };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return {
      status: 0,
      text: '',
      problem: `The app cannot be reached: ${cause}`,
      mayRetry: true,
      retryAfterMs: 0,
    };
  }
}
