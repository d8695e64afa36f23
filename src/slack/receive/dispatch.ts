import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ReceiverEvent, StringIndexed } from '@slack/bolt';

import type { BackgroundTasks, Clock, Log } from '../../model/ports.ts';
import { limits } from '../render/limits.ts';
import type { AcceptedDelivery, Inbox } from './inbox.ts';
import type { HandledPayload } from './payloads.ts';

/** The answer that Slack waits for. */
export interface Acknowledgement {
  /** False: overloaded, nothing was started. Without a body, Slack sends it again or shows an error. */
  readonly accepted: boolean;
  /** Sent as JSON. */
  readonly body?: object | undefined;
}

/**
 * Resolves once the payload may be acknowledged; the work continues. A Slack retry is handled like any other payload,
 * because it may be the only delivery. Never rejects.
 */
export type Dispatch = (payload: HandledPayload) => Promise<Acknowledgement>;

/** Our addition to Bolt's context. */
export interface ReceivedContext extends StringIndexed {
  readonly received: Pick<HandledPayload, 'sender' | 'message'> & {
    /** Records the payload in the inbox, once. A form's listener calls it before the acknowledgement. */
    readonly accept: () => Promise<AcceptedDelivery>;
  };
}

export interface DispatchPorts {
  readonly process: (event: ReceiverEvent) => Promise<void>;
  readonly backgroundTasks: BackgroundTasks;
  readonly clock: Clock;
  readonly log: Log;
  readonly inbox: Pick<Inbox, 'accept'>;
  /** Most payloads in flight, work included. Beyond that, new ones are rejected. */
  readonly maxInFlight: number;
  /** Runs the work on one payload under its own correlation id. */
  readonly correlate: (kind: string, work: () => Promise<void>) => Promise<void>;
}

/** Slack waits 3 s for the answer to a form or to typing; this leaves some room. */
const answerWithinMs = limits.ackMs - 300;

/**
 * Hands payloads from HTTP or Socket Mode to the app, and records them in the inbox before they are acknowledged. Commands,
 * clicks and events are acknowledged immediately; their replies are separate. Forms and selects are acknowledged by their
 * listener with the answer. If that is late, throws or says nothing, they get `timeoutResponse`.
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

/** Slack waits for the answer of their listener. */
const needsSynchronousAck = ({ kind }: HandledPayload): boolean =>
  kind === 'view_submission' || kind === 'block_suggestion';

/** Changes nothing, so it is not recorded. */
const unrecorded: AcceptedDelivery = { first: true, done: () => undefined };

const busy = 'Bellhop is overloaded. Nothing was done. Try again in a moment.';
const late = 'No answer yet. Check the channel before you submit this again; it may have arrived.';

/**
 * The answer to a payload while overloaded: private for a command, beside the first field for a form, no options while
 * typing. Undefined if Slack shows no text: Slack then marks a click as failed, and sends an event again.
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
 * The answer if a listener gives none in time. An empty 200 would close a form as if it were accepted, so it gets an error
 * beside its first field. A form without fields gets Slack's own "trouble connecting".
 */
function timeoutResponse(payload: HandledPayload): object | undefined {
  if (payload.kind === 'block_suggestion') return { options: [] };
  return payload.kind === 'view_submission' ? besideFirstField(payload, late) : undefined;
}

/** Keeps a submitted form open with a text beside its first field; undefined without fields. */
const besideFirstField = ({ firstInput }: HandledPayload, words: string): object | undefined =>
  firstInput === undefined ? undefined : { response_action: 'errors', errors: { [firstInput]: words } };
