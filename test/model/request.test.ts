import { describe, expect, it } from 'vitest';

import { isOpen, mayFollow, openStates, states } from '../../src/model/records/request.ts';

describe('the states of a request', () => {
  it('follow one another only as drawn', () => {
    const steps = states.map(
      (from) => `${from}: ${states.filter((to) => mayFollow({ state: from }, to)).join(', ') || 'nothing'}`,
    );
    expect(steps.join('\n')).toMatchInlineSnapshot(`
      "proposed: awaiting approval, running, cancelled, expired, refused
      awaiting approval: awaiting approval, running, cancelled, expired, refused
      running: running, succeeded, failed, unknown
      succeeded: nothing
      failed: nothing
      unknown: succeeded, failed, unknown
      cancelled: nothing
      expired: nothing
      refused: nothing"
    `);
  });

  it('never lead back to running from an end', () => {
    expect(states.filter((from) => !isOpen(from) && mayFollow({ state: from }, 'running'))).toEqual([]);
    expect(states.filter(isOpen)).toEqual(openStates);
  });
});
