import type { z } from 'zod';
import { invalidInput } from './failure.ts';
import type { Service } from '../service.ts';

/** Extensions that a service may offer beyond the interface. */
export const extensions = [
  'instance-list',
  'instance-read',
  'instance-actions',
  'tasks',
  'floating-ip-list',
  'event-changes',
  'cdn-purge',
] as const;

export type Extension = (typeof extensions)[number];

/** A call's data, not yet validated. */
interface RawCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly json: unknown;
  /** Set by a fault: the call's task ends in ERROR with this text. */
  readonly taskError?: string | undefined;
}

/** One endpoint of the interface: input, answer and effect. */
export interface Endpoint {
  /** The name in the bot's metrics, in faults, in the log of calls and in the description. */
  readonly name: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With `{name}` for each path parameter. */
  readonly path: string;
  readonly summary: string;
  /** The extension that the endpoint needs. A service without the extension does not have the endpoint. */
  readonly extension?: Extension | undefined;
  readonly description?: string | undefined;
  /** Whether the endpoint changes anything. A read-only key is then refused. */
  readonly changes: boolean;
  readonly params?: z.ZodObject | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  /** The status of a success, 200 by default. */
  readonly status?: 201 | 204 | undefined;
  /** The body of a success. Undefined if there is none. */
  readonly response?: z.ZodType | undefined;
  /** Error statuses in addition to those of every endpoint, and when they occur. */
  readonly failures?: Readonly<Record<number, string>> | undefined;
  /** Validates the call, does it, and returns the body of the answer. @throws Failure */
  readonly run: (call: RawCall, service: Service) => object | void;
}

/** Carries the type of an endpoint. */
export const endpoint = (definition: Endpoint): Endpoint => definition;

/**
 * Reads a part of a call.
 *
 * @throws Failure 400 that names each field which does not fit.
 */
export const read = <Value>(schema: z.ZodType<Value>, value: unknown): Value => {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidInput(result.error.issues);
  return result.data;
};
