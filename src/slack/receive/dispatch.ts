import type { ReceiverEvent } from '@slack/bolt';

import type { BackgroundTasks } from '../../core/background-tasks.ts';
import type { Clock, Log } from '../../core/model/ports.ts';
import { limits } from '../render/limits.ts';
import { besideFirstField } from './beside-first-field.ts';
import { deliveryOf } from './delivery.ts';
import type { Inbox, AcceptedDelivery } from './inbox.ts';
import type { Payload } from './payloads.ts';
import { overloadResponse } from './overload.ts';

/** A payload that is to be worked on, and the one answer that Slack waits for. */
export interface Delivery {
  readonly payload: Extract<Payload, { readonly body: unknown }>;
  /** Called once. Without an argument: acknowledged, nothing to say. */
  readonly reply: (answer?: object) => void;
  /** Instead of `reply`: there is no room, nothing was begun. Without words for the person it counts as not accepted. */
  readonly reject: (words?: object) => void;
  readonly retryNum?: number;
  readonly retryReason?: string;
}

interface DispatchPorts {
  readonly process: (event: ReceiverEvent) => Promise<void>;
  readonly backgroundTasks: BackgroundTasks;
  readonly clock: Clock;
  readonly log: Log;
  /** Where what is acknowledged is written down before it is. */
  readonly inbox?: Pick<Inbox, 'accept'>;
  /** Payloads and what they led to, in hand at once: with that much, new ones are turned away. */
  readonly maxInFlight?: number;
  /** Runs the work on one payload as an ask of its own, so that all it leads to can be found by one id. */
  readonly newAsk?: <T>(work: () => T) => T;
}

/** Slack waits 3 s for the answer to a form or to typing; ours leaves a little before. */
const guardMs = limits.ackMs - 300;

/** Ten seconds of 50 payloads a second while Slack or the store hangs, and as much again that came of them. */
const usualRoom = 1_000;

/**
 * Hands payloads to the app, from whichever way they came. Commands and clicks are acknowledged once they are written down,
 * events and closed forms at once: their answers go by other ways. A form and a select that loads are answered by their
 * listener, because the answer is what they wait for; where it is late, throws or says nothing, they get an answer
 * that claims nothing: an error that leaves the form open, or no options. Where too much is in hand already nothing is
 * begun, and whoever asked is told so. Never throws.
 */
export function createDispatch(ports: DispatchPorts): (delivery: Delivery) => void {
  const { newAsk = (begin) => begin(), maxInFlight = usualRoom, inbox } = ports;
  const work = async (delivery: Delivery, answer: (response?: object) => void): Promise<void> => {
    const { payload, retryNum, retryReason } = delivery;
    const began = ports.clock.now();
    const delivered = inbox && deliveryOf(payload);
    const taken = delivered ? await inbox.accept(delivered) : unrecorded;
    if (!needsSynchronousAck(payload)) answer();
    if (!taken.first) return;
    await nextTurn();
    try {
      await ports.process({
        body: payload.body,
        ...(retryNum !== undefined && { retryNum }),
        ...(retryReason !== undefined && { retryReason }),
        ack: (response?: unknown) => {
          answer(typeof response === 'object' && response !== null ? response : undefined);
          return Promise.resolve();
        },
      });
    } catch (error) {
      ports.log.error({ kind: payload.kind, err: describe(error) }, 'a payload was not worked through');
    }
    taken.done();
    answer(timeoutResponse(payload));
    ports.log.info({ kind: payload.kind, ms: ports.clock.now() - began }, 'a payload was worked on');
  };

  return (delivery) => {
    const { payload, reply } = delivery;
    if (ports.backgroundTasks.count() >= maxInFlight) {
      ports.log.warn({ kind: payload.kind, maxInFlight }, 'a payload was turned away: too much is in hand');
      return delivery.reject(overloadResponse(payload));
    }
    let answered = false;
    const answer = (response?: object): void => {
      if (answered) return;
      answered = true;
      reply(response);
    };
    if (needsSynchronousAck(payload))
      void ports.clock.wait(guardMs).then(() => answer(timeoutResponse(payload)));
    ports.backgroundTasks.add(
      newAsk(() => work(delivery, answer)),
      payload.kind,
    );
  };
}

/** Slack waits for what their listener says. */
const needsSynchronousAck = ({ kind }: Delivery['payload']): boolean =>
  kind === 'view_submission' || kind === 'block_suggestion';

/** Nothing to write down, or nowhere: as if it had been. */
const unrecorded: AcceptedDelivery = { first: true, done: () => undefined };

/** Lets the acknowledgements of a burst go out before its work begins. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const late = 'No answer yet. Look at the channel before you send this again: it may have arrived.';

/**
 * An empty 200 would close a form as if it had been accepted, so it gets an error beside its first field. A form
 * without fields has nowhere to show one: only then is it left to Slack's own "trouble connecting".
 */
function timeoutResponse({ kind, body }: Delivery['payload']): object | undefined {
  if (kind === 'block_suggestion') return { options: [] };
  if (kind !== 'view_submission') return undefined;
  return besideFirstField(body, late);
}

/** An error for the log without what it may carry: bodies hold what people typed. */
export const describe = (error: unknown): object =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack }
    : { name: 'not an error' };
