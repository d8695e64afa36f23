import type { CallOutcome } from '../../model/errors.ts';
import { type Area, type EndpointName, endpoints } from '../schemas/endpoints.ts';
import { type MaskText, clipLine } from '../errors/clean-text.ts';
import type { ResponseHeaders } from '../../http/attempt.ts';

/** One call to the service as it ended, for metrics. Retries are inside it. */
export interface CallRecord {
  readonly endpoint: EndpointName;
  readonly method: string;
  readonly path: string;
  readonly status?: number | undefined;
  readonly outcome: 'succeeded' | CallOutcome;
  readonly milliseconds: number;
  /** Requests that were tried; 0 where none was let through. */
  readonly attempts: number;
}

export interface CallObserver {
  readonly onCall?: ((call: CallRecord) => void) | undefined;
  /** The circuit breaker of an area opens, so that its calls are paused for a while, or closes. */
  readonly onBreaker?: ((open: boolean, area: Area) => void) | undefined;
  readonly logger?: WarnLogger | undefined;
}

/** Tells the observer. One that throws must not turn a change that succeeded into one that failed. */
export function reportCall(observer: CallObserver, mask: MaskText, call: CallRecord): void {
  try {
    observer.onCall?.({ ...call, path: mask(call.path) });
  } catch (error) {
    observer.logger?.warn({ err: error }, 'call observer failed');
  }
}

export interface WarnLogger {
  warn(details: object, message: string): void;
}

/** Logs `Deprecation` and `Sunset` headers, once for each endpoint. */
export function createDeprecationNotice(
  logger: WarnLogger | undefined,
  mask: MaskText,
): (endpoint: EndpointName, headers: ResponseHeaders) => void {
  const noticed = new Set<EndpointName>();
  return (endpoint, headers) => {
    const deprecation = headerText(headers['deprecation'], mask);
    const sunset = headerText(headers['sunset'], mask);
    if ((deprecation ?? sunset) === undefined || noticed.has(endpoint)) return;
    noticed.add(endpoint);
    const { method, path } = endpoints[endpoint];
    logger?.warn({ endpoint, method, path, deprecation, sunset }, 'the service deprecates this endpoint');
  };
}

function headerText(value: string | string[] | undefined, mask: MaskText): string | undefined {
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === undefined ? undefined : clipLine(mask(text), 200);
}
