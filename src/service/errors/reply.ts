import type { z } from 'zod';
import { badInput, ServiceError } from '../../model/values/errors.ts';
import { type FailedCall, failureOfAnswer, failureOfBody, failureOfNoResponse } from './service-failure.ts';
import { decoded } from '../../http/body.ts';
import type { Attempt } from '../../http/exchange.ts';
import type { LenientSchema } from '../schemas/lenient.ts';
import { isObject, parseExactJson } from '../../text/exact.ts';
import { httpDate } from '../../text/moments.ts';
import { orUndefined } from '../../text/words.ts';

export interface ServiceReply<Value> {
  readonly value: Value;
  /** One line for each field that did not fit, such as `results[0].flavor.ram: expected integer`. */
  readonly problems: readonly string[];
  readonly status: number;
}

/** For the notes of a report. */
export const replyNotes = ({ problems }: Pick<ServiceReply<unknown>, 'problems'>): string[] =>
  problems
    .slice(0, 5)
    .map((problem) => `Unreadable in the reply: ${problem}`)
    .concat(problems.length > 5 ? [`…and ${problems.length - 5} more unreadable fields.`] : []);

export function readReply<Value>(
  accepted: Accepted,
  schema: LenientSchema<Value>,
  json: unknown,
): ServiceReply<Value> {
  return { ...schema.read(json), status: accepted.status };
}

/**
 * Checks that a request follows the interface.
 * @throws BellhopError `bad-input` that names each field which does not fit, before anything is sent
 */
export function checkedRequest<Value>(schema: z.ZodType<Value>, request: unknown): Value {
  const checked = schema.safeParse(request);
  if (checked.success) return checked.data;
  const fields = checked.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw badInput(`${fields.join('; ')}. Nothing was sent.`);
}

/** A 2xx answer. `refuse` creates the error for a body that the interface does not allow. */
export interface Accepted {
  readonly status: number;
  readonly body: Buffer;
  readonly type: string;
  /** In epoch milliseconds: the `Date` of the answer. Undefined if there is no readable `Date`. */
  readonly serviceTime?: number | undefined;
  refuse(problem: string): ServiceError;
}

/** @throws ServiceError even for an unexpected error in `read`, because by then the service has accepted the call */
export function readAccepted<Value>(
  attempt: Attempt,
  call: FailedCall,
  waitedMs: number,
  read: (accepted: Accepted) => Value,
): Value {
  if (attempt.kind === 'no-response') throw failureOfNoResponse(call, attempt, waitedMs);
  const { status, headers, body } = attempt;
  if (status < 200 || status > 299) throw failureOfAnswer(call, attempt);
  const refuse = (problem: string): ServiceError => failureOfBody(call, status, call.mask(problem));
  try {
    const type = String(headers['content-type']);
    return read({ status, body, type, serviceTime: httpDate(String(headers['date'])), refuse });
  } catch (error) {
    throw error instanceof ServiceError ? error : refuse('it has an unexpected form');
  }
}

/**
 * @throws ServiceError if the body is empty or not JSON
 * @param none the result for 204, `null` and `[]`
 */
export function jsonBody(accepted: Accepted, none?: unknown): unknown {
  if (none !== undefined && accepted.status === 204) return none;
  if (accepted.body.length === 0) throw accepted.refuse('it is empty');
  const json = orUndefined(() => ({ value: parseExactJson(decoded(accepted.body, accepted.type)) }));
  // The parser's own message quotes the body, so it is dropped.
  if (!json) throw accepted.refuse('it is not JSON');
  const { value } = json;
  const isNone = value === null || (Array.isArray(value) && value.length === 0);
  return isNone && none !== undefined ? none : value;
}

/** Like `jsonBody`. @throws ServiceError if the body is not a JSON object */
export function jsonObject(accepted: Accepted, none?: object): Readonly<Record<string, unknown>> {
  const json = jsonBody(accepted, none);
  if (!isObject(json)) throw accepted.refuse('it is not an object');
  return json;
}
