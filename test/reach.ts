import type { FormContext } from '../src/model/operation.ts';

/** What an operation reaches of the world where a test has none of it but its service. */
export const reach: Omit<FormContext, 'service'> = {
  http: () => {
    throw new Error('this test reaches no other service');
  },
  secret: () => 'hunter2',
  signal: new AbortController().signal,
  correlationId: 'c-test',
};
