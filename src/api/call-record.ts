import type { CallOutcome } from '../core/model/errors.ts';
import type { WarnLogger } from './http/deprecation-notice.ts';
import type { MaskText } from './errors/mask.ts';
import type { Area, Endpoint } from './endpoints.ts';

/** One call to the service as it ended, for metrics. Retries are inside it. */
export interface CallRecord {
  readonly row: Endpoint['row'];
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly outcome: 'succeeded' | CallOutcome;
  readonly milliseconds: number;
  /** Requests that were tried; 0 where none was let through. */
  readonly attempts: number;
}

export interface CallObserver {
  readonly onCall?: (call: CallRecord) => void;
  /** An area of the service fails again and again and is left alone for a while, or answers again. */
  readonly onBreaker?: (open: boolean, area: Area) => void;
  readonly logger?: WarnLogger;
}

/** Tells the observer. A listener that throws must not turn a change that succeeded into one that failed. */
export function reportCall(observer: CallObserver, mask: MaskText, call: CallRecord): void {
  try {
    observer.onCall?.({ ...call, path: mask(call.path) });
  } catch (error) {
    observer.logger?.warn({ err: error }, 'The listener for ended calls failed');
  }
}
