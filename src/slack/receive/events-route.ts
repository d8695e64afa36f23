import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Clock, Log } from '../../model/ports.ts';
import type { Acknowledgement, Dispatch } from './dispatch.ts';
import { type BodyBounds, createBodyReader, respond } from '../../http/incoming.ts';
import { readPayloadBody } from './payloads.ts';
import { limits } from '../render/limits.ts';

export interface EventsRouteOptions {
  /** The current secrets: two during a rotation. */
  readonly signingSecrets: () => readonly string[];
  /** The Slack team that the bot belongs to. */
  readonly ownTeam: string;
  readonly limits: BodyBounds;
  readonly clock: Clock;
  readonly logger: Log;
  readonly dispatch: Dispatch;
  readonly stopping: () => boolean;
  /** False if this clock is known to be wrong, so that another replica may find a payload fresh. Default: true. */
  readonly clockIsRight?: (() => boolean) | undefined;
  /** Called with every answer to Slack: its kind of payload or reason, status, and milliseconds since it arrived. */
  readonly onAnswer?: ((kind: string, status: number, ms: number) => void) | undefined;
  /** Called with the verdict on every signature. */
  readonly onSignature?: ((checked: CheckedSignature) => void) | undefined;
}

/** The response, and its label in the metrics. */
interface Answer {
  readonly kind: string;
  readonly status: number;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Closes the connection, because the body was not read to its end. */
const reject = (kind: string, status: number, body: string, headers?: Record<string, string>): Answer => ({
  kind,
  status,
  body,
  headers: { Connection: 'close', ...headers },
});

/** `Retry-After`: seconds after which Slack or the proxy may try another replica. */
const unavailable = (kind: string, body: string): Answer => reject(kind, 503, body, { 'Retry-After': '2' });

const unsigned = reject('unsigned', 401, 'Not signed by Slack');
const busy = unavailable('busy', 'Busy');
const stopped = unavailable('stopping', 'Stopping');
const wrongClock = unavailable('wrong clock', 'Wrong clock');
const unread = { 'too-large': reject('too large', 413, 'Too large'), 'no-room': busy, stopping: stopped };

/**
 * `POST /slack/events`. Unsigned bodies are never parsed. Signed ones get a 5xx only while stopping, with a clock that
 * is known to be wrong, or when overloaded and Slack would show no text: a 503, so that the proxy can try another replica.
 */
export function createEventsRoute(
  options: EventsRouteOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { clock, logger, dispatch, limits: bounds, stopping, onAnswer, onSignature } = options;
  const readBody = createBodyReader(bounds, stopping);

  const answerTo = async (request: IncomingMessage, arrived: number): Promise<Answer | undefined> => {
    if (request.method !== 'POST') return reject('method', 405, 'Method not allowed', { Allow: 'POST' });
    if (stopping()) return stopped;
    const claim = claimedSignature(request.headers, arrived);
    if (!claim) return unsigned;
    const { ageMs } = claim;
    if (Math.abs(ageMs) > limits.signatureAgeMs) {
      if (options.clockIsRight?.() === false) return wrongClock;
      onSignature?.({ verdict: 'wrong time', ageMs });
      return unsigned;
    }
    const body = await readBody(request);
    if (body === 'broken') return undefined;
    if (typeof body === 'string') return unread[body];
    const right = isSigned(options.signingSecrets(), claim, body);
    onSignature?.({ verdict: right ? 'right' : 'wrong', ageMs });
    if (!right) return unsigned;
    return answerOf(await dispatch(readPayloadBody(request.headers['content-type'], body, options.ownTeam)));
  };

  return async (request, response) => {
    const arrived = clock.now();
    try {
      const answer = await answerTo(request, arrived);
      if (!answer) return;
      for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
      respond(response, answer.status, answer.body, answer.contentType);
      onAnswer?.(answer.kind, answer.status, clock.now() - arrived);
    } catch (error) {
      logger.error({ err: error }, 'request to /slack/events failed');
      respond(response, 500, 'Internal error');
    }
  };
}

function answerOf({ kind, status, body }: Acknowledgement): Answer {
  if (status === 503) return busy;
  if (status === 400) return { kind, status, body: 'Malformed payload' };
  return { kind, status, body: body && JSON.stringify(body), contentType: 'application/json' };
}

/** The claims of a request's headers. */
interface ClaimedSignature {
  readonly timestamp: string;
  readonly digest: Buffer;
  /** By our clock, in milliseconds; negative if it is from the future. */
  readonly ageMs: number;
}

/** The verdict on a claim. A wrong time points to a clock, a wrong signature to the secret. */
export interface CheckedSignature {
  readonly verdict: 'right' | 'wrong' | 'wrong time';
  readonly ageMs: number;
}

const seconds = /^\d{1,12}$/u;
const signature = /^v0=([0-9a-f]{64})$/u;

/** The claim of a request; undefined if it can't be valid. `now` is epoch milliseconds. */
function claimedSignature(headers: IncomingHttpHeaders, now: number): ClaimedSignature | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const claimed = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || typeof claimed !== 'string' || !seconds.test(timestamp))
    return undefined;
  const digest = signature.exec(claimed)?.[1];
  if (digest === undefined) return undefined;
  return { timestamp, digest: Buffer.from(digest, 'hex'), ageMs: now - Number(timestamp) * 1000 };
}

/**
 * Slack's v0 signature over the raw bytes of a body, compared in constant time. Source:
 * docs.slack.dev/authentication/verifying-requests-from-slack.
 */
const isSigned = (
  secrets: readonly string[],
  { timestamp, digest }: ClaimedSignature,
  body: Buffer,
): boolean =>
  secrets
    .map((secret) =>
      timingSafeEqual(createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest(), digest),
    )
    // Tries all secrets, so that the time it takes reveals nothing.
    .includes(true);
