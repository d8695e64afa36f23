import {
  BrokenCircuitError,
  BulkheadRejectedError,
  ConsecutiveBreaker,
  bulkhead,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import type { BulkheadPolicy, CircuitBreakerPolicy, IBackoff } from 'cockatiel';
import type { Attempt, NoResponse, NoResponseReason } from './attempt.ts';
import type { Deadline } from './deadline.ts';
import type { Area, CallKind } from '../endpoints.ts';
import type { Timings } from './timings.ts';

/** What keeps one host from being asked too much at a time, and an area of it from being asked while it is down. */
export interface HostGuard {
  /** Waits for a free slot; each kind has its own, so that hanging queries hold up no change. */
  inSlot(kind: CallKind, deadline: Deadline, run: () => Promise<Attempt>): Promise<Attempt>;
  /** Runs one call, retries included, unless the breaker of its area is open. */
  unlessBroken(area: Area, deadline: Deadline, run: () => Promise<Attempt>): Promise<Attempt>;
}

/** @param onBreaker told of every change: open is true while the area is left alone */
export function createHostGuard(timings: Timings, onBreaker: (open: boolean, area: Area) => void): HostGuard {
  const slots = () => bulkhead(timings.slots, timings.slots * timings.queuePerSlot);
  const bulkheads: Record<CallKind, BulkheadPolicy> = { query: slots(), change: slots() };
  const breakerOf = (area: Area): CircuitBreakerPolicy => {
    const breaker = circuitBreaker(
      handleWhenResult((result) => isAttempt(result) && isFailing(result)),
      {
        breaker: new ConsecutiveBreaker(timings.breakerFailures),
        halfOpenAfter: monotonicWait(timings.breakerOpenMs),
      },
    );
    breaker.onBreak(() => onBreaker(true, area));
    breaker.onReset(() => onBreaker(false, area));
    return breaker;
  };
  const breakers: Record<Area, CircuitBreakerPolicy> = {
    cloud: breakerOf('cloud'),
    cdn: breakerOf('cdn'),
    storage: breakerOf('storage'),
  };
  return {
    inSlot: (kind, deadline, run) => admitted(bulkheads[kind], deadline, run),
    unlessBroken: (area, deadline, run) =>
      admitted(breakers[area], deadline, async () => {
        const attempt = await run();
        if (saysNothing(attempt)) throw new Uncounted(attempt);
        return attempt;
      }),
  };
}

/** Carries an attempt past a breaker, which counts whatever is returned as a failure or a success. */
class Uncounted extends Error {
  readonly attempt: Attempt;

  constructor(attempt: Attempt) {
    super('neither a failure nor a success of the host');
    this.attempt = attempt;
  }
}

/** It was given up by whoever asked, before the host had its time. */
const saysNothing = (attempt: Attempt): boolean =>
  attempt.kind === 'silence' && ['cancelled', 'lease-lost', 'closed', 'invalid'].includes(attempt.reason);

interface Gate {
  execute(run: () => Promise<Attempt>): Promise<Attempt>;
}

async function admitted(gate: Gate, deadline: Deadline, run: () => Promise<Attempt>): Promise<Attempt> {
  let begun = false;
  const admission = gate.execute(() => {
    begun = true;
    return deadline.cause === undefined ? run() : Promise.resolve(notSent(deadline.cause));
  });
  try {
    return await (begun ? admission : Promise.race([admission, whenAborted(deadline, () => begun)]));
  } catch (error) {
    if (error instanceof Uncounted) return error.attempt;
    if (error instanceof BulkheadRejectedError) return notSent('busy');
    if (error instanceof BrokenCircuitError) return notSent('breaker-open');
    throw error;
  }
}

/** Cockatiel does not leave its queues on abort, so whoever waits there watches the deadline until it begins. */
function whenAborted(deadline: Deadline, hasBegun: () => boolean): Promise<Attempt> {
  return new Promise((resolve) => {
    deadline.onEnd((cause) => {
      if (!hasBegun()) resolve(notSent(cause));
    });
  });
}

function notSent(reason: NoResponseReason): NoResponse {
  return { kind: 'silence', sent: false, reason };
}

function isAttempt(value: unknown): value is Attempt {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** A plain 500 may be about one resource; these tell that the area itself does not answer. */
function isFailing(attempt: Attempt): boolean {
  if (attempt.kind === 'answer') return [502, 503, 504].includes(attempt.status);
  return ['connection', 'first-byte-timeout', 'deadline', 'not-http'].includes(attempt.reason);
}

// Cockatiel measures by the wall clock; a clock set back by an hour would keep the breaker open for one.
function monotonicWait(milliseconds: number): { next(): IBackoff<unknown> } {
  const next = (): IBackoff<unknown> => {
    const end = performance.now() + milliseconds;
    return {
      next,
      get duration() {
        return performance.now() < end ? Infinity : -Infinity;
      },
    };
  };
  return { next };
}
