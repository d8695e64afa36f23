import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import type { Clock, Log } from '../../model/ports.ts';
import type { Acknowledgement, Dispatch } from './dispatch.ts';
import {
  type RouteReply,
  type BodyBounds,
  answerWith,
  createBodyReader,
  isSigned,
  reject,
  retryLater,
  unreadAnswers,
} from '../../http/incoming.ts';
import { readPayloadBody } from './payloads.ts';
import { limits } from '../render/limits.ts';

export interface EventsRouteOptions {
  /** Two during a rotation. */
  readonly signingSecrets: () => readonly string[];
  readonly ownTeam: string;
  readonly limits: BodyBounds;
  readonly clock: Clock;
  readonly log: Log;
  readonly dispatch: Dispatch;
  readonly stopping: () => boolean;
  /**
   * False if this replica's clock is known to be wrong. A replica with the right clock may accept a payload that seems too old here.
   * Default: true.
   */
  readonly clockIsRight?: (() => boolean) | undefined;
  /** Called with every answer to Slack. `kind` is the payload's kind or the reason for a rejection, `ms` the time since its arrival. */
  readonly onAnswer?: ((kind: string, status: number, ms: number) => void) | undefined;
  readonly onSignature?: ((checked: CheckedSignature) => void) | undefined;
}

const unsigned = reject('unsigned', 401, 'Not signed by Slack');
/** With status 503, Slack or the proxy tries another replica. */
const wrongClock = retryLater('wrong clock', 503, 'Wrong clock', 2);

/**
 * `POST /slack/events`. Unsigned bodies are never parsed. While Bellhop stops, has a wrong clock, or is overloaded and can show no text, a
 * signed body gets a 503, so that the proxy tries another replica.
 */
export function createEventsRoute(
  options: EventsRouteOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { clock, log, dispatch, limits: bounds, stopping, onAnswer, onSignature } = options;
  const readBody = createBodyReader(bounds, stopping);

  const answerTo = async (
    request: IncomingMessage,
    arrived: number,
  ): Promise<RouteReply<string> | undefined> => {
    if (request.method !== 'POST') return reject('method', 405, 'Method not allowed', { Allow: 'POST' });
    if (stopping()) return unreadAnswers.stopping;
    const claim = claimedSignature(request.headers, arrived);
    if (!claim) return unsigned;
    const { ageMs } = claim;
    if (Math.abs(ageMs) > limits.signatureAgeMs) {
      if (options.clockIsRight?.() === false) return wrongClock;
      onSignature?.({ verdict: 'wrong time', ageMs });
      return unsigned;
    }
    const body = await readBody(request);
    if (!Buffer.isBuffer(body)) return unreadAnswers[body];
    const right = isSigned([claim.digest], options.signingSecrets(), `v0:${claim.timestamp}:`, body);
    onSignature?.({ verdict: right ? 'right' : 'wrong', ageMs });
    if (!right) return unsigned;
    return answerOf(await dispatch(readPayloadBody(request.headers['content-type'], body, options.ownTeam)));
  };

  return async (request, response) => {
    const arrived = clock.now();
    await answerWith(
      response,
      () => answerTo(request, arrived),
      ({ outcome, status }) => onAnswer?.(outcome, status, clock.now() - arrived),
      (error) => log.error({ err: error }, 'request to /slack/events failed'),
    );
  };
}

function answerOf({ kind: outcome, status, body }: Acknowledgement): RouteReply<string> {
  if (status === 503) return unreadAnswers['no-room'];
  if (status === 400) return { outcome, status, body: 'Malformed payload' };
  return { outcome, status, body: body && JSON.stringify(body), contentType: 'application/json' };
}

/** A wrong time points to a wrong clock, a wrong signature to a wrong secret. */
export interface CheckedSignature {
  readonly verdict: 'right' | 'wrong' | 'wrong time';
  readonly ageMs: number;
}

const seconds = /^\d{1,12}$/u;
const signature = /^v0=([0-9a-f]{64})$/u;

/**
 * The v0 signature over the raw bytes of the body. Undefined if it can't be valid. `now` is in epoch milliseconds. Source:
 * docs.slack.dev/authentication/verifying-requests-from-slack.
 */
function claimedSignature(headers: IncomingHttpHeaders, now: number) {
  const timestamp = headers['x-slack-request-timestamp'];
  const claimed = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || typeof claimed !== 'string' || !seconds.test(timestamp))
    return undefined;
  const digest = signature.exec(claimed)?.[1];
  if (digest === undefined) return undefined;
  /** In milliseconds, by our clock. Negative if the request is from the future. */
  const ageMs = now - Number(timestamp) * 1000;
  return { timestamp, digest, ageMs };
}
