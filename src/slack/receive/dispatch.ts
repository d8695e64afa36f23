import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ReceiverEvent, StringIndexed } from '@slack/bolt';

import type { BackgroundTasks, Clock, Log } from '../../model/ports.ts';
import { limits } from '../render/limits.ts';
import type { AcceptedDelivery, Inbox } from './inbox.ts';
import type { HandledPayload } from './payloads.ts';

/** The one answer that Slack waits for. */
export interface Acknowledgement {
  /** False: there is no room, nothing was begun. Without a body Slack is to send it again, or says that it failed. */
  readonly accepted: boolean;
  /** Sent as JSON. */
  readonly body?: object | undefined;
}

/**
 * Resolves once the payload may be acknowledged; the work on it goes on. What Slack calls a retry is taken like any other: it
 * may be the only delivery. Never rejects.
 */
export type Dispatch = (payload: HandledPayload) => Promise<Acknowledgement>;

/** What a listener finds in Bolt's context beside what Bolt puts there. */
export interface ReceivedContext extends StringIndexed {
  readonly received: Pick<HandledPayload, 'sender' | 'message'> & {
    /** Records the payload in the inbox, once however often it is called; a form's listener calls it before the ack. */
    readonly accept: () => Promise<AcceptedDelivery>;
  };
}

export interface DispatchPorts {
  readonly process: (event: ReceiverEvent) => Promise<void>;
  readonly backgroundTasks: BackgroundTasks;
  readonly clock: Clock;
  readonly log: Log;
  readonly inbox: Pick<Inbox, 'accept'>;
  /** Payloads and the work they led to that may be in flight at once; with that many, new ones are rejected. */
  readonly maxInFlight: number;
  /** Runs the work on one payload, of this kind, under a correlation id of its own. */
  readonly correlate: (kind: string, work: () => Promise<void>) => Promise<void>;
}

/** Slack waits 3 s for the answer to a form or to typing; ours leaves a little before. */
const answerWithinMs = limits.ackMs - 300;

/**
 * Hands payloads to the app, from whichever way they came, and records them in the inbox before they are acknowledged.
 * Commands, clicks and events are acknowledged then: their replies go by other ways. A form and a select that loads are
 * acknowledged by their listener, because the answer is what they wait for; where it is late, throws or says nothing,
 * they get the answer of `timeoutResponse`.
 */
export function createDispatch(ports: DispatchPorts): Dispatch {
  const { backgroundTasks, clock, correlate, log, maxInFlight } = ports;
  return (payload) => {
    const { kind } = payload;
    if (backgroundTasks.count() >= maxInFlight) {
      log.warn({ kind, maxInFlight }, 'payload rejected: too many in flight');
      return Promise.resolve({ accepted: false, body: overloadResponse(payload) });
    }
    const { promise, resolve } = Promise.withResolvers<Acknowledgement>();
    const acknowledge = (body?: object): void => resolve({ accepted: true, body });
    if (needsSynchronousAck(payload))
      void clock.wait(answerWithinMs).then(() => acknowledge(timeoutResponse(payload)));
    backgroundTasks.add(
      correlate(kind, () => handle(ports, payload, acknowledge)),
      kind,
    );
    return promise;
  };
}

async function handle(
  { process, clock, inbox, log }: DispatchPorts,
  payload: HandledPayload,
  acknowledge: (body?: object) => void,
): Promise<void> {
  const { kind, body, sender, message, delivery } = payload;
  const began = clock.now();
  let accepted: Promise<AcceptedDelivery> | undefined;
  const accept = (): Promise<AcceptedDelivery> => {
    accepted ??= delivery ? inbox.accept(delivery) : Promise.resolve(unrecorded);
    return accepted;
  };
  if (!needsSynchronousAck(payload)) {
    const { first } = await accept();
    acknowledge();
    if (!first) return;
  }
  // The acknowledgements of a burst go out before its work begins.
  await nextTurn();
  const customProperties: ReceivedContext = { received: { sender, message, accept } };
  const ack = (response?: unknown): Promise<void> => {
    acknowledge(typeof response === 'object' && response !== null ? response : undefined);
    return Promise.resolve();
  };
  try {
    await process({ body, customProperties, ack });
  } catch (error) {
    log.error({ kind, err: error }, 'payload handler failed');
  }
  (await accepted)?.done();
  acknowledge(timeoutResponse(payload));
  log.info({ kind, ms: clock.now() - began }, 'payload handled');
}

/** Slack waits for what their listener says. */
const needsSynchronousAck = ({ kind }: HandledPayload): boolean =>
  kind === 'view_submission' || kind === 'block_suggestion';

/** Of what changes nothing, and is therefore not recorded. */
const unrecorded: AcceptedDelivery = { first: true, done: () => undefined };

const busy = 'Too much is going on right now. Nothing was done: try again in a moment.';
const late = 'No answer yet. Look at the channel before you send this again: it may have arrived.';

/**
 * The answer to a payload that there is no room for: a command's in private, a form's beside its first field, no options
 * while typing. Undefined where Slack shows no words of such an answer: then Slack marks a click as failed, and sends an
 * event again.
 */
export function overloadResponse(payload: HandledPayload): object | undefined {
  switch (payload.kind) {
    case 'command':
      return { response_type: 'ephemeral', text: busy };
    case 'view_submission':
      return besideFirstField(payload, busy);
    case 'block_suggestion':
      return { options: [] };
    case 'block_actions':
    case 'message_action':
    case 'event_callback':
    case 'message':
    case 'view_closed':
      return undefined;
  }
}

/**
 * The answer where a listener gives none in time. An empty 200 would close a form as if it had been accepted, so it gets
 * an error beside its first field. A form without fields has nowhere to show one: only then is it left to Slack's own
 * "trouble connecting".
 */
function timeoutResponse(payload: HandledPayload): object | undefined {
  if (payload.kind === 'block_suggestion') return { options: [] };
  return payload.kind === 'view_submission' ? besideFirstField(payload, late) : undefined;
}

/** The answer to a submitted form that leaves it open with words beside its first field; undefined where it has none. */
const besideFirstField = ({ firstInput }: HandledPayload, words: string): object | undefined =>
  firstInput === undefined ? undefined : { response_action: 'errors', errors: { [firstInput]: words } };
