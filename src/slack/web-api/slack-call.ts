import type { webApi } from '@slack/bolt';
import type { z } from 'zod';

import type { Clock } from '../../model/ports.ts';
import { SlackError, toSlackError, unreadableReply } from './slack-error.ts';

/** Calls that do the same when done twice, and are therefore repeated after a lost connection. */
const idempotent = new Set([
  'auth.test',
  'chat.update',
  'chat.getPermalink',
  'users.info',
  'users.lookupByEmail',
  'usergroups.users.list',
  'views.publish',
]);

/** Told of every call that left: Slack's error code, or `ok`. */
export type OnWebApiCall = (method: string, outcome: string, ms: number) => void;

export interface LanePorts {
  readonly client: webApi.WebClient;
  readonly clock: Clock;
  readonly gate: RateGate;
  readonly onCall: OnWebApiCall;
  /** Told of each call that is held back because Slack wants no more of it for a while. */
  readonly onHeldBack?: ((method: string, channel: unknown) => void) | undefined;
  /** How long a call may wait for a rate limit to pass before it fails with it, in milliseconds. */
  readonly patienceMs: number;
}

/** Calls a method and parses its reply. @throws SlackError */
export type SlackCall = <T>(
  method: string,
  given: Readonly<Record<string, unknown>>,
  reply: z.ZodType<T>,
) => Promise<T>;

/**
 * A 429 closes the method's gate for as long as Slack says; whoever has the patience waits for it once, because nothing
 * was done. After a lost connection a call is repeated once, where nothing was sent or twice does no harm.
 */
export function createSlackCall(ports: LanePorts): SlackCall {
  const { client, clock, gate, onCall, onHeldBack, patienceMs } = ports;

  const once = async (method: string, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const began = clock.now();
    try {
      const reply = await client.apiCall(method, { ...given });
      onCall(method, 'ok', clock.now() - began);
      return reply;
    } catch (error) {
      const failure = toSlackError(method, error);
      onCall(method, failure.slackCode, clock.now() - began);
      throw failure;
    }
  };

  const admitted = async (method: string, key: string, channel: unknown): Promise<void> => {
    const wait = gate.remaining(key);
    if (wait === 0) return;
    if (wait > patienceMs) {
      onHeldBack?.(method, channel);
      throw rateLimited(method, wait);
    }
    await clock.wait(wait);
  };

  const gated = async (method: string, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const key = rateKey(method, given['channel']);
    await admitted(method, key, given['channel']);
    try {
      return await once(method, given);
    } catch (error) {
      if (!(error instanceof SlackError) || error.slackCode !== 'ratelimited') throw error;
      gate.close(key, error.retryAfterSeconds ?? 1);
      await admitted(method, key, given['channel']);
      return once(method, given);
    }
  };

  return async (method, given, schema) => {
    const reply = await gated(method, given).catch((error: unknown) => {
      const again = error instanceof SlackError && lostConnection.has(error.slackCode);
      if (again && (!error.sent || idempotent.has(method))) return gated(method, given);
      throw error;
    });
    const parsed = schema.safeParse(reply);
    if (!parsed.success) throw unreadableReply(method, parsed.error);
    return parsed.data;
  };
}

const lostConnection = new Set(['unreachable', 'connection_lost']);

const rateLimited = (method: string, ms: number): SlackError =>
  new SlackError(method, 'ratelimited', {
    retryAfterSeconds: Math.ceil(ms / 1_000),
    retryable: true,
    sent: false,
  });

/**
 * Remembers until when Slack wants no more of a method in a channel. Nobody else is held up: other methods and other
 * channels go on.
 */
export interface RateGate {
  /** Milliseconds until `key` may be tried again, 0 where it may be now. */
  remaining(key: string): number;
  close(key: string, seconds: number): void;
}

/** What a method is limited by: posts by channel, the rest by method. */
const rateKey = (method: string, channel: unknown): string =>
  typeof channel === 'string' && method.startsWith('chat.') ? `${method} ${channel}` : method;

interface Closure {
  /** Epoch milliseconds. */
  readonly until: number;
  /** How long it was closed for. */
  readonly ms: number;
}

/** Closed gates kept at once; past that the ones that opened go. */
const sweepAbove = 1_000;

export function createRateGate(clock: Clock): RateGate {
  const closed = new Map<string, Closure>();
  const remaining = (key: string): number => {
    const { until, ms } = closed.get(key) ?? { until: 0, ms: 0 };
    const left = until - clock.now();
    // More than was asked for: the clock was set back meanwhile.
    return left > ms ? 0 : Math.max(0, left);
  };
  return {
    remaining,
    close(key, seconds) {
      const ms = Math.max(remaining(key), seconds * 1_000);
      closed.set(key, { until: clock.now() + ms, ms });
      if (closed.size <= sweepAbove) return;
      for (const other of closed.keys()) if (remaining(other) === 0) closed.delete(other);
    },
  };
}
