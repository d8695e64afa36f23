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

import type { NamedEndpoint } from '../../service/schemas/endpoints.ts';
import type { Sent } from '../../service/http/host.ts';
import type { AuditDraft } from '../../model/records/audit.ts';
import type { RequestWork } from '../../model/ports.ts';

/**
 * Makes spans through OpenTelemetry's API. Operators load their SDK before Bellhop. Without an SDK, nothing is created
 * or sent. No span contains a secret or what people typed.
 */
const tracer = trace.getTracer('bellhop');

/** Undefined outside of any trace, and without an SDK. */
export const traceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

export const tracePayload = <T>(kind: string, correlationId: string, work: () => Promise<T>): Promise<T> =>
  inSpan(`slack ${kind}`, { kind: SpanKind.CONSUMER, attributes: correlated(correlationId) }, work);

export const traceWork = <T>(work: RequestWork, correlationId: string, run: () => Promise<T>): Promise<T> =>
  inSpan(`${work} request`, { attributes: correlated(correlationId) }, run);

/** @param send takes headers that pass the trace on to the service */
export const traceCall = (
  { method, path }: NamedEndpoint,
  send: (headers: Readonly<Record<string, string>>) => Promise<Sent>,
): Promise<Sent> => {
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

/** Jobs query every second, so a query outside of a trace starts none. */
export const traceStore = <T>(method: string, work: () => Promise<T>): Promise<T> =>
  trace.getActiveSpan() ? inSpan(`store ${method}`, {}, work) : work();

export function traceSlackCall(method: string, outcome: string, ms: number): void {
  if (!trace.getActiveSpan()) return;
  const span = tracer.startSpan(`slack ${method}`, { kind: SpanKind.CLIENT, startTime: Date.now() - ms });
  if (outcome !== 'ok') failed(span, outcome);
  span.end();
}

export function traceOutcome({ event, operation, decision, outcome, requestId }: AuditDraft): void {
  const said = { event, operation, decision, outcome, request: requestId };
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(said)) attributes[`bellhop.${name}`] = value;
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Waits for two seconds at most. */
export async function flushSpans(): Promise<void> {
  const provider: object = trace.getTracerProvider();
  // The SDK brings its own copy of the API, so `instanceof` fails and only the shape shows what the SDK can do.
  const sdk = delegates(provider) ? provider.getDelegate() : provider;
  if (flushes(sdk)) await Promise.race([sdk.forceFlush(), setTimeout(2000, undefined, { ref: false })]);
}

const delegates = (provider: object): provider is { getDelegate(): object } =>
  'getDelegate' in provider && typeof provider.getDelegate === 'function';

const flushes = (provider: object): provider is { forceFlush(): Promise<void> } =>
  'forceFlush' in provider && typeof provider.forceFlush === 'function';

const correlated = (correlationId: string): Attributes => ({
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
