import { ServiceError } from '../core/model/errors.ts';
import type { Attempt } from './http/attempt.ts';
import {
  failureOfAnswer,
  failureOfBody,
  failureOfNoResponse,
  type FailedCall,
} from './errors/service-failure.ts';

/** A 2xx answer. `refuse` makes the error to throw where its body is not what the interface promises. */
export interface Accepted {
  readonly status: number;
  readonly body: Buffer;
  refuse(problem: string): ServiceError;
}

/**
 * The value that `read` takes from a 2xx answer.
 * @throws ServiceError for everything else, also where `read` fails in a way it did not foresee: the service has
 * said yes by then.
 */
export function readAccepted<Value>(
  attempt: Attempt,
  call: FailedCall,
  deadlineMs: number,
  read: (accepted: Accepted) => Value,
): Value {
  if (attempt.kind === 'silence') throw failureOfNoResponse(call, attempt, deadlineMs);
  const { status, body } = attempt;
  if (status < 200 || status > 299) throw failureOfAnswer(call, attempt);
  const refuse = (problem: string): ServiceError => failureOfBody(call, status, call.mask(problem));
  try {
    return read({ status, body, refuse });
  } catch (error) {
    throw error instanceof ServiceError ? error : refuse('it has an unexpected form');
  }
}
