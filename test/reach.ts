import type { FormContext, PreviewContext, RunContext } from '../src/model/operation.ts';

/** Everything outside of an operation, for a test that has only the service. */
export const reach: Omit<FormContext, 'service'> &
  Pick<RunContext, 'request'> &
  Pick<PreviewContext, 'earlier'> = {
  request: { id: 'r-test', requester: 'U0ALICE' },
  http: () => {
    throw new Error('this test reaches no other service');
  },
  secret: () => 'hunter2',
  earlier: () => Promise.resolve([]),
  signal: new AbortController().signal,
  correlationId: 'c-test',
};
