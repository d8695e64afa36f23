import type { FormContext, RunContext } from '../src/model/operation.ts';

/** The outside world of an operation in a test that has only the service. */
export const reach: Omit<FormContext, 'service'> & Pick<RunContext, 'request'> = {
  request: { id: 'r-test', requester: 'U0ALICE' },
  http: () => {
    throw new Error('this test reaches no other service');
  },
  secret: () => 'hunter2',
  signal: new AbortController().signal,
  correlationId: 'c-test',
};
