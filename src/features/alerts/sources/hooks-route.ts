import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import type { Fold } from '../../../model/records/offer.ts';
import type { AlertUpdate } from '../group/record.ts';
import { tiersOf } from '../group/fold.ts';
import { type ReceiveContext, receiveAlerts } from '../group/receive.ts';
import { BellhopError, rescue } from '../../../model/values/errors.ts';
import { type Hook, hooksSection } from '../group/section.ts';
import type { Log } from '../../../model/ports.ts';
import {
  type RouteReply,
  answerWith,
  createIntake,
  isSigned,
  presentsSecret,
  reject,
  retryLater,
  unreadAnswers,
} from '../../../http/incoming.ts';
import { decodedBody } from '../../../http/body.ts';
import { createRateLimit } from '../../../http/rate-limit.ts';
import { claimedSignatures, hookRate, signatureOf } from './admit.ts';
import { parseDelivery } from './parse-delivery.ts';

/** The first four mean that the delivery was accepted. */
export const hookOutcomes = [
  'shown',
  'folded',
  'repeated',
  'ignored',
  'unauthorized',
  'unknown hook',
  'no secret',
  'wrong method',
  'too large',
  'not JSON',
  'malformed',
  'too old',
  'limited',
  'busy',
  'store unavailable',
  'stopping',
] as const;
export type HookOutcome = (typeof hookOutcomes)[number];

export const atHooks = { path: /^\/hooks\/([^/]{1,100})$/u, address: '/hooks/<name>' } as const;

export interface HooksRouteOptions extends ReceiveContext {
  /**
   * The accepted values of `secret:name`: one, or two during a rotation.
   * @throws BellhopError if the secret has no value
   */
  readonly acceptedSecrets: (reference: string) => readonly string[];
  readonly stopping: () => boolean;
  readonly log: Log;
  /** The name is undefined if the hook is unknown. `problem` says why a delivery was rejected. */
  readonly onDelivery: (name: string | undefined, outcome: HookOutcome, problem?: string) => void;
}

type HookAnswer = RouteReply<HookOutcome>;

/** In bytes. Enough for 2,500 alerts of 1.6 KB in one body. */
export const largestDelivery = 4 * 1024 * 1024;
const bodiesShown = { body: largestDelivery, allBodies: 8 * largestDelivery, inFlight: 200 };
/** A signature can be checked only with the whole body. Signed bodies have their own limit, because strangers can fill it. */
const bodiesSigned = { body: largestDelivery, allBodies: 2 * largestDelivery, inFlight: 100 };

/**
 * Checks the length, then the secret, and parses nothing before that. Answers once the update is durable. If the sender should try again,
 * the answer says when.
 */
export function createHooksRoute(
  options: HooksRouteOptions,
): (name: string, request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { stopping, clock, log, onDelivery } = options;
  const takeShown = createIntake(bodiesShown, stopping);
  const takeSigned = createIntake(bodiesSigned, stopping);
  const rate = createRateLimit(clock, hookRate);

  const receive = async (
    name: string,
    hook: Hook,
    sent: Buffer,
    { 'content-encoding': encoding = '', 'content-type': type }: IncomingHttpHeaders,
  ): Promise<HookAnswer> => {
    const body = decodedBody(sent, encoding, largestDelivery);
    if (body === 'too-large') return unreadAnswers['too-large'];
    const delivery = parseDelivery(hook, options.rulebook().inventory, body, type);
    if (delivery.kind === 'nothing') return { outcome: 'ignored', status: 200 };
    if (delivery.kind === 'malformed')
      return { ...reject('malformed', 400, 'Malformed delivery'), problem: delivery.problem };
    const { update } = delivery;
    if (isStale(hook, update, clock.now()))
      return { ...reject('too old', 400, 'Too old'), problem: 'it is more than a day old' };
    // Each status and tier has its own limit, so that a flood of firing alerts never blocks critical or resolved ones.
    const seconds = rate.take(`${name} ${update.status} ${tiersOf(update.content)[0]}`);
    if (seconds > 0) return retryLater('limited', 429, 'Too many', seconds);
    return receiveAlerts(options, name, hook, update).then(
      (fold) => ({ outcome: outcomeOf(fold), status: 200 }),
      (error: unknown) => {
        if (!(error instanceof BellhopError) || error.code !== 'store-unavailable') throw error;
        return { ...retryLater('store unavailable', 503, 'Not available', 5), problem: error.message };
      },
    );
  };

  /** Resolves to undefined if the sender disconnected. */
  const answerTo = async (name: string, hook: Hook | undefined, request: IncomingMessage) => {
    const isGenuine = refuseUnread(options, request) ?? admit(options, hook, request);
    if (typeof isGenuine !== 'function') return isGenuine;
    if (!hook) return undefined;
    const take = signatureOf(hook) ? takeSigned : takeShown;
    return take<HookAnswer>(request, (body) =>
      isGenuine(body) ? receive(name, hook, body, request.headers) : unauthorized,
    );
  };

  return async (name, request, response) => {
    const hooks = hooksSection.of(options.rulebook());
    const hook = Object.hasOwn(hooks, name) ? hooks[name] : undefined;
    await answerWith(
      response,
      () => answerTo(name, hook, request),
      ({ outcome, problem }) => onDelivery(hook && name, outcome, problem),
      (error) => log.error({ err: error, hook: hook && name }, 'hook request failed'),
    );
  };
}

const unauthorized = reject('unauthorized', 401, 'Not authorized', { 'WWW-Authenticate': 'Bearer' });

function refuseUnread({ stopping }: HooksRouteOptions, request: IncomingMessage): HookAnswer | undefined {
  if (Number(request.headers['content-length'] ?? 0) > largestDelivery) return unreadAnswers['too-large'];
  if (request.method !== 'POST') return reject('wrong method', 405, 'Method not allowed', { Allow: 'POST' });
  return stopping() ? unreadAnswers.stopping : undefined;
}

/**
 * Checks the header before the body is read. A secret is compared even for an unknown name, so that the answer takes equally long.
 * @returns an answer, or the function that checks the body
 */
function admit(
  { acceptedSecrets }: HooksRouteOptions,
  hook: Hook | undefined,
  { headers }: IncomingMessage,
): HookAnswer | ((body: Buffer) => boolean) {
  const { secrets, problem } = secretsOf(hook, acceptedSecrets);
  const shown = presentsSecret(headers.authorization, secrets);
  if (!hook) return reject('unknown hook', 404, 'Not found');
  if (problem !== undefined) return { ...retryLater('no secret', 503, 'Not configured', 60), problem };
  const signature = signatureOf(hook);
  const claimed = signature && claimedSignatures(signature, headers);
  if (claimed ? claimed.length === 0 : !shown) return unauthorized;
  const type = headers['content-type'];
  if (type !== undefined && !/^(?:application|text)\/(?:[\w.+-]+\+)?json *(?:;|$)/iu.test(type))
    return reject('not JSON', 415, 'Send JSON');
  return (body) => claimed === undefined || isSigned(claimed, secrets, body);
}

/** This list is compared if there is no secret, so that a rejection takes equally long. */
const noSecrets: readonly string[] = [''];

/** The secrets are read each time, so that a rotated file takes effect immediately. */
function secretsOf(
  hook: Hook | undefined,
  acceptedSecrets: HooksRouteOptions['acceptedSecrets'],
): { readonly secrets: readonly string[]; readonly problem?: string } {
  return rescue(
    () => ({ secrets: hook ? acceptedSecrets(hook.secret) : noSecrets }),
    ({ message: problem }) => ({ secrets: noSecrets, problem }),
  );
}

/**
 * In milliseconds. A delivery of PagerDuty, which retries for an hour, is accepted for this long. A replay within this
 * time changes nothing, because the incident is stored for longer.
 */
const signedForMs = 24 * 3_600_000;

/** A signature never expires, so anyone who saw a delivery could send the same body again. */
const isStale = ({ kind }: Hook, { sentAt = 0 }: AlertUpdate, now: number): boolean =>
  kind === 'pagerduty' && Math.abs(now - sentAt) > signedForMs;

const outcomeOf = (fold: Fold): HookOutcome => {
  if (fold.kind === 'nothing') return fold.why === 'repeated' ? 'repeated' : 'ignored';
  return fold.kind === 'open' && fold.in === 'storm' ? 'folded' : 'shown';
};
