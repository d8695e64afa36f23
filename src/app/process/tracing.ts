import { setTimeout } from 'node:timers/promises';

import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

import { type EndpointName, endpoints } from '../../service/schemas/endpoints.ts';
import type { Sent } from '../../service/http/host.ts';
import type { AuditDraft } from '../../model/records/audit.ts';
import type { RequestWork } from '../../model/ports.ts';

/**
 * Spans through OpenTelemetry's API. The operator's SDK is loaded before Bellhop; without one nothing is created or sent.
 * No span contains a secret or what people typed.
 */
const tracer = trace.getTracer('bellhop');

/** The trace that the running code belongs to; undefined outside of any, and without an SDK. */
export const traceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

/** The work on a Slack payload: the root of a trace. */
export const tracePayload = <T>(
  kind: string,
  correlationId: string | undefined,
  work: () => Promise<T>,
): Promise<T> =>
  inSpan(`slack ${kind}`, { kind: SpanKind.CONSUMER, attributes: correlated(correlationId) }, work);

/** Work on a request, in the trace of the click or other cause. */
export const traceWork = <T>(work: RequestWork, correlationId: string, run: () => Promise<T>): Promise<T> =>
  inSpan(`${work} request`, { attributes: correlated(correlationId) }, run);

/** A call to the service; `headers` pass the trace on to it. */
export const traceCall = (
  endpoint: EndpointName,
  send: (headers: Readonly<Record<string, string>>) => Promise<Sent>,
): Promise<Sent> => {
  const { method, path } = endpoints[endpoint];
  const attributes = { 'http.request.method': method, 'url.template': path };
  return inSpan(`${method} ${path}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const headers: Record<string, string> = {};
    propagation.inject(context.active(), headers);
    const sent = await send(headers);
    const { attempt, attempts } = sent;
    if (attempts > 1) span.setAttribute('http.request.resend_count', attempts - 1);
    if (attempt.status !== undefined) span.setAttribute('http.response.status_code', attempt.status);
    if (attempt.kind === 'no-response') failed(span, attempt.reason);
    else if (attempt.status >= 400) failed(span, String(attempt.status));
    return sent;
  });
};

/** A store query within a trace. Jobs that query every second start none. */
export const traceStore = <T>(method: string, work: () => Promise<T>): Promise<T> =>
  trace.getActiveSpan() ? inSpan(`store ${method}`, {}, work) : work();

/** A call to Slack that ended just now. */
export function traceSlackCall(method: string, outcome: string, ms: number): void {
  if (!trace.getActiveSpan()) return;
  const span = tracer.startSpan(`slack ${method}`, { kind: SpanKind.CLIENT, startTime: Date.now() - ms });
  if (outcome !== 'ok') failed(span, outcome);
  span.end();
}

/** Records the decision and the outcome on the current span. */
export function traceOutcome({ event, operation, decision, outcome, requestId }: AuditDraft): void {
  const said = { event, operation, decision, outcome, request: requestId };
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(said)) attributes[`bellhop.${name}`] = value;
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Asks the SDK, if any, to send its pending spans. Takes two seconds at most. */
export async function flushSpans(): Promise<void> {
  const provider: object = trace.getTracerProvider();
  // By shape, because the SDK brings its own copy of the API and `instanceof` fails.
  const sdk = delegates(provider) ? provider.getDelegate() : provider;
  if (flushes(sdk)) await Promise.race([sdk.forceFlush(), setTimeout(2000, undefined, { ref: false })]);
}

const delegates = (provider: object): provider is { getDelegate(): object } =>
  'getDelegate' in provider && typeof provider.getDelegate === 'function';

const flushes = (provider: object): provider is { forceFlush(): Promise<void> } =>
  'forceFlush' in provider && typeof provider.forceFlush === 'function';

const correlated = (correlationId: string | undefined): Attributes => ({
  'bellhop.correlation_id': correlationId,
});

const inSpan = <T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> =>
  tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failed(span, error instanceof Error ? error.name : 'not an error');
      throw error;
    } finally {
      span.end();
    }
  });

function failed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}
