import type { webApi } from '@slack/bolt';
import type { z } from 'zod';

import type { Clock } from '../../model/ports.ts';
import { SlackError, toSlackError, unreadableReply } from './slack-error.ts';

/** Idempotent methods, which are repeated after a lost connection. */
const idempotent = new Set([
  'auth.test',
  'chat.update',
  'chat.getPermalink',
  'users.info',
  'users.lookupByEmail',
  'usergroups.users.list',
  'views.publish',
]);

/** Called after every call: Slack's error code, or `ok`. */
export type OnWebApiCall = (method: string, outcome: string, ms: number) => void;

export interface LanePorts {
  readonly client: webApi.WebClient;
  readonly clock: Clock;
  readonly gate: RateGate;
  readonly onCall: OnWebApiCall;
  /** Called for each call that is held back by a rate limit. */
  readonly onHeldBack?: ((method: string, channel: unknown) => void) | undefined;
  /** Longest wait of a call for a rate limit, in milliseconds. */
  readonly patienceMs: number;
}

/** Calls a method and parses its reply. @throws SlackError */
export type SlackCall = <T>(
  method: string,
  given: Readonly<Record<string, unknown>>,
  reply: z.ZodType<T>,
) => Promise<T>;

/**
 * A 429 closes the method's gate for as long as Slack says. Patient callers wait for it once, because nothing was done. After
 * a lost connection a call is repeated once if nothing was sent or the method is idempotent.
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
 * Remembers until when a method is rate-limited in a channel. Other methods and channels are not affected.
 */
export interface RateGate {
  /** Milliseconds until `key` may be tried again; 0 if now. */
  remaining(key: string): number;
  close(key: string, seconds: number): void;
}

/** The key of a rate limit: posts by channel, the rest by method. */
const rateKey = (method: string, channel: unknown): string =>
  typeof channel === 'string' && method.startsWith('chat.') ? `${method} ${channel}` : method;

interface Closure {
  /** Epoch milliseconds. */
  readonly until: number;
  /** How long the gate was closed for. */
  readonly ms: number;
}

/** Most closed gates; beyond that, opened ones are removed. */
const sweepAbove = 1_000;

export function createRateGate(clock: Clock): RateGate {
  const closed = new Map<string, Closure>();
  const remaining = (key: string): number => {
    const { until, ms } = closed.get(key) ?? { until: 0, ms: 0 };
    const left = until - clock.now();
    // Longer than requested, so the clock was set back.
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
