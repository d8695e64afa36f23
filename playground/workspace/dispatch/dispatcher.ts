import type { Clock } from '../clock.ts';
import type { DrillBoard } from '../drills/drill-board.ts';
import { LIMITS } from '../limits.ts';
import type { WireLog } from '../drills/wire-log.ts';
import type { Answer, Carrier, Delivery, Redelivery, RetryReason } from './delivery.ts';

/** The result of a payload: the app's answer within 3 seconds, or the message to the person. */
export type Acknowledgement =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly error: 'operation_timeout' | 'dispatch_failed';
      readonly reason: RetryReason;
      readonly noRetry: boolean;
    };

export interface Dispatcher {
  /** Delivers what a person did once, and again for each redelivery of the drill. */
  deliver(delivery: Delivery): Promise<Acknowledgement>;
  /** Delivers an event. While the app does not accept it, delivers it again at once, after 1 and after 5 minutes. */
  deliverEvent(delivery: Delivery): Promise<void>;
}

interface DispatcherParts {
  readonly clock: Clock;
  readonly drills: DrillBoard;
  readonly wire: WireLog;
  /** Called for each payload, because connections come and go. */
  readonly carrier: () => Carrier;
}

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { drills } = parts;
  async function again(delivery: Delivery, times: number): Promise<void> {
    for (let number = 1; number <= times; number += 1)
      await attempt(parts, delivery, { number, reason: 'http_timeout' });
  }
  return {
    async deliver(delivery) {
      const redeliveries = drills.takeRedeliveries();
      const acknowledgement = await attempt(parts, delivery);
      void again(delivery, redeliveries);
      return acknowledgement;
    },
    async deliverEvent(delivery) {
      const redeliveries = drills.takeRedeliveries();
      const first = await attempt(parts, delivery);
      void again(delivery, redeliveries);
      if (!first.ok) retryLater(parts, delivery, first, 1);
    },
  };
}

type Failure = Acknowledgement & { readonly ok: false };

function retryLater(parts: DispatcherParts, delivery: Delivery, failure: Failure, number: number): void {
  const wait = LIMITS.eventRetryMs[number - 1];
  if (wait === undefined || failure.noRetry) return;
  parts.clock.at(parts.clock.now() + wait, () => void redeliver(parts, delivery, failure, number));
}

async function redeliver(
  parts: DispatcherParts,
  delivery: Delivery,
  failure: Failure,
  number: number,
): Promise<void> {
  const next = await attempt(parts, delivery, { number, reason: failure.reason });
  if (!next.ok) retryLater(parts, delivery, next, number + 1);
}

/** One delivery, with its own timeout of 3 seconds. Never rejects. */
async function attempt(
  parts: DispatcherParts,
  delivery: Delivery,
  retry?: Redelivery,
): Promise<Acknowledgement> {
  const { clock, drills, wire } = parts;
  const at = clock.now();
  const lost = drills.takeLostAck();
  const deadline = Promise.withResolvers<'late'>();
  const cancel = clock.at(at + LIMITS.ackMs, () => deadline.resolve('late'));
  const sent = send(parts, delivery, retry);
  const first = await Promise.race([lost ? sent.then(() => deadline.promise) : sent, deadline.promise]);
  cancel();
  const outcome = first === 'late' ? ({ kind: 'late' } as const) : first;
  wire.record({
    direction: 'to-bot',
    at,
    duration_ms: clock.now() - at,
    name: delivery.name,
    status: outcome.kind === 'answered' ? outcome.answer.status : 0,
    error: errorOf(outcome, lost),
    retry: retry?.number ?? 0,
    request: JSON.stringify(delivery.payload),
    response: outcome.kind === 'answered' ? outcome.answer.text : '',
  });
  return acknowledgementOf(outcome);
}

type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'unreachable'; readonly cause: string }
  | { readonly kind: 'late' };

/** Sends after the delay of the drill, even if the payload is already too late. */
async function send(
  { clock, drills, carrier }: DispatcherParts,
  delivery: Delivery,
  retry?: Redelivery,
): Promise<Outcome> {
  const delay = drills.current.dispatch_delay_ms;
  if (delay > 0) {
    const waited = Promise.withResolvers<undefined>();
    clock.at(clock.now() + delay, () => waited.resolve(undefined));
    await waited.promise;
  }
  const abort = new AbortController();
  const cancel = clock.at(clock.now() + LIMITS.ackMs, () => abort.abort());
  try {
    return { kind: 'answered', answer: await carrier()(delivery, retry, abort.signal) };
  } catch (error) {
    if (abort.signal.aborted) return { kind: 'late' };
    return { kind: 'unreachable', cause: error instanceof Error ? error.message : String(error) };
  } finally {
    cancel();
  }
}

function errorOf(outcome: Outcome, lost: boolean): string {
  if (outcome.kind === 'unreachable') return outcome.cause;
  if (outcome.kind === 'late') return lost ? 'ack lost (drill)' : 'operation_timeout';
  return isSuccess(outcome.answer) ? '' : 'dispatch_failed';
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function acknowledgementOf(outcome: Outcome): Acknowledgement {
  if (outcome.kind === 'late')
    return { ok: false, error: 'operation_timeout', reason: 'http_timeout', noRetry: false };
  if (outcome.kind === 'unreachable')
    return { ok: false, error: 'dispatch_failed', reason: 'connection_failed', noRetry: false };
  const { answer } = outcome;
  return isSuccess(answer)
    ? { ok: true, text: answer.text }
    : { ok: false, error: 'dispatch_failed', reason: 'http_error', noRetry: answer.noRetry };
}
