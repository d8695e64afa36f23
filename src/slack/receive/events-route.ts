import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock, Log } from '../../core/model/ports.ts';
import { type Delivery, describe } from './dispatch.ts';
import type { Payload } from './payloads.ts';
import { createBodyReader } from './read-body.ts';
import { readPayloadBody } from './read-payload-body.ts';
import { respond } from './respond.ts';
import { claimedSignature, createSignatureCheck } from './signature.ts';

interface EventsRouteOptions {
  readonly signingSecret: string;
  readonly bodyLimit?: number;
  /** Bytes of all bodies that are being read at a time; past that only small ones are taken. */
  readonly bodiesRoom?: number;
  readonly clock: Clock;
  readonly logger: Log;
  readonly dispatch: (delivery: Delivery) => void;
  readonly stopping: () => boolean;
  readonly onAnswer?: (kind: string, status: number, ms: number) => void;
}

const defaultBodyLimit = 1024 * 1024;
const usualBodiesRoom = 64 * 1024 * 1024;

/** Seconds after which Slack, or the proxy before us, may try another replica. */
const retryAfter = '2';

/**
 * `POST /slack/events`. Nothing is read into an object that is not signed, whatever it says it is; nothing that is
 * signed is answered with a 5xx but while stopping, or where there is no room and Slack would show no words: a 503 that
 * the proxy before us may take to another replica.
 */
export function createEventsRoute(
  options: EventsRouteOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { clock, bodyLimit = defaultBodyLimit } = options;
  const isSigned = createSignatureCheck(options.signingSecret);
  const readBody = createBodyReader({ limit: bodyLimit, room: options.bodiesRoom ?? usualBodiesRoom });

  return (request, response) => {
    const arrived = clock.now();
    const answer = (kind: string, status: number, body?: string, contentType?: string): void => {
      respond(response, status, body, contentType);
      options.onAnswer?.(kind, status, clock.now() - arrived);
    };
    const reject = (kind: string, status: number, body: string): void => {
      // The rest of what they send is not wanted.
      response.setHeader('Connection', 'close');
      answer(kind, status, body);
    };
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      return reject('method', 405, 'Method not allowed');
    }
    const unavailable = (kind: string, body: string): void => {
      response.setHeader('Retry-After', retryAfter);
      reject(kind, 503, body);
    };
    if (options.stopping()) return unavailable('stopping', 'Stopping');
    const claim = claimedSignature(request.headers, arrived);
    if (!claim) return reject('unsigned', 401, 'Not signed by Slack');
    readBody(request, (body) => {
      try {
        if (body === 'broken') return;
        if (body === 'too-large') reject('too large', 413, 'Too large');
        else if (body === 'no-room') unavailable('busy', 'Busy');
        else if (!isSigned(claim, body)) reject('unsigned', 401, 'Not signed by Slack');
        else {
          const payload = readPayloadBody(request.headers['content-type'], body);
          answerPayload(options, payload, request, answer, () => unavailable('busy', 'Busy'));
        }
      } catch (error) {
        // Thrown here it would end the process.
        options.logger.error({ err: describe(error) }, 'a payload could not be answered');
        respond(response, 500, 'Internal error');
      }
    });
  };
}

function answerPayload(
  { dispatch, logger }: EventsRouteOptions,
  payload: Payload,
  request: IncomingMessage,
  answer: (kind: string, status: number, body?: string, contentType?: string) => void,
  unavailable: () => void,
): void {
  switch (payload.kind) {
    case 'malformed':
      logger.warn({ problem: payload.problem }, 'a signed payload could not be read');
      return answer(payload.kind, 400, 'Not a payload that can be read');
    case 'unknown':
      logger.warn({ type: payload.type }, 'a payload of a type that nothing here uses');
      return answer(payload.kind, 200);
    case 'ssl_check':
      return answer(payload.kind, 200);
    case 'url_verification':
      return answer(payload.kind, 200, JSON.stringify({ challenge: payload.challenge }), 'application/json');
    case 'command':
    case 'block_actions':
    case 'view_submission':
    case 'view_closed':
    case 'block_suggestion':
    case 'event_callback':
      return dispatch({
        payload,
        reply: (said) =>
          said === undefined
            ? answer(payload.kind, 200)
            : answer(payload.kind, 200, JSON.stringify(said), 'application/json'),
        reject: (words) =>
          words === undefined
            ? unavailable()
            : answer('busy', 200, JSON.stringify(words), 'application/json'),
        ...retryOf(request),
      });
  }
}

/** Slack's retry headers are kept for the log and never a reason to drop: the retry may be the only delivery. */
function retryOf({ headers }: IncomingMessage): Pick<Delivery, 'retryNum' | 'retryReason'> {
  const number = headers['x-slack-retry-num'];
  const reason = headers['x-slack-retry-reason'];
  return {
    ...(typeof number === 'string' && /^\d{1,3}$/u.test(number) && { retryNum: Number(number) }),
    ...(typeof reason === 'string' && { retryReason: reason.slice(0, 60) }),
  };
}
