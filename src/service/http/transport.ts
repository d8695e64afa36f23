import { setTimeout as delay } from 'node:timers/promises';
import { type CallOutcome, ServiceError } from '../../model/errors.ts';
import { endpoints } from '../schemas/endpoints.ts';
import { type MaskText, hiding } from '../errors/clean-text.ts';
import { type Accepted, readAccepted } from '../errors/reply.ts';
import { interfaceSettings } from '../errors/service-failure.ts';
import {
  type CallContext,
  type CallRequest,
  type SenderOptions,
  createDeprecationNotice,
  createSender,
  reportCall,
} from './sender.ts';
import { type RetryPorts, type Timings, standardTimings } from './timings.ts';

/** `baseUrl` is http or https, perhaps with a path prefix. */
export interface TransportOptions extends SenderOptions {
  /** Applied to every returned text. The API keys of the start are always hidden. */
  readonly mask?: MaskText | undefined;
  readonly timings?: Partial<Timings>;
  readonly ports?: Partial<RetryPorts>;
}

export interface Transport {
  /** Sends one call and reads the accepted answer. @throws ServiceError unless it is a readable 2xx. */
  call<Value>(
    request: CallRequest,
    context: CallContext,
    read: (accepted: Accepted) => Value,
  ): Promise<Value>;
  /** Refuses new calls and waits for the running ones. */
  close(): Promise<void>;
}

export const systemPorts: RetryPorts = {
  now: () => Date.now(),
  random: () => Math.random(),
  pause: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
};

/** The connection to one host. @throws BellhopError `configuration` for an invalid base URL or key. */
export function createTransport(options: TransportOptions): Transport {
  const timings = { ...standardTimings, ...options.timings };
  const ports = { ...systemPorts, ...options.ports };
  const sender = createSender(options, timings, ports);
  const mask = hiding(options.apiKeys(), options.mask);
  const { settings = interfaceSettings } = options;
  const noteDeprecation = createDeprecationNotice(options.logger, mask);
  return {
    async call(request, context, read) {
      const started = performance.now();
      const { attempt, attempts } = await sender.send(request, context);
      const waitedMs = Math.min(performance.now() - started, timings.deadlineMs);
      const { endpoint, path } = request;
      const { kind, method } = endpoints[endpoint];
      const ended = (outcome: 'succeeded' | CallOutcome, status: number | undefined): void =>
        reportCall(options, mask, {
          endpoint,
          method,
          path,
          outcome,
          attempts,
          milliseconds: performance.now() - started,
          status,
        });
      try {
        if (attempt.kind === 'answer') noteDeprecation(endpoint, attempt.headers);
        const hide = request.secrets === undefined ? mask : hiding(request.secrets, mask);
        const now = ports.now();
        const call = { kind, method, path, attempts, mask: hide, now, settings };
        const value = readAccepted(attempt, call, waitedMs, read);
        ended('succeeded', attempt.status);
        return value;
      } catch (error) {
        if (error instanceof ServiceError) ended(error.outcome, error.status);
        throw error;
      }
    },
    close: () => sender.close(),
  };
}
