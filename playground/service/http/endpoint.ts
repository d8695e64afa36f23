import type { z } from 'zod';
import { invalidInput } from './failure.ts';
import type { Service } from '../service.ts';

/** What a service may offer beyond the interface. */
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
  /** Not there where the service lacks this. */
  readonly extension?: Extension | undefined;
  readonly description?: string | undefined;
  /** A read-only key is refused. */
  readonly changes: boolean;
  readonly params?: z.ZodObject | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  /** The status of a success, 200 by default. */
  readonly status?: 201 | 204 | undefined;
  /** The body of what succeeded; without it there is none. */
  readonly response?: z.ZodType | undefined;
  /** Statuses besides those that every endpoint can answer, and when. */
  readonly failures?: Readonly<Record<number, string>> | undefined;
  /** Judges the call, does what it asks and gives the body of the answer. Throws Failure. */
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
