import type { FormContext } from '../src/model/operation.ts';

/** The outside world of an operation in a test that has only the service. */
export const reach: Omit<FormContext, 'service'> = {
  http: () => {
    throw new Error('this test reaches no other service');
  },
  secret: () => 'hunter2',
  signal: new AbortController().signal,
  correlationId: 'c-test',
};
