import { describe, expect, it } from 'vitest';

import { tasksOn, web1 } from '../../areas/cloud/lost-change.ts';

describe('the error of a task', () => {
  it.each([
    ['No host has room', 'No host has room'],
    [{ message: 'No valid host was found', code: 500 }, 'No valid host was found'],
    [{ exception_class: 'QuotaError', detail: { message: 'Quota exceeded' } }, 'Quota exceeded'],
    [{ cores: ['limit is 20'], ram: ['limit is 64'] }, 'cores: limit is 20; ram: limit is 64'],
    [['step 3 failed', { reason: 'volume is busy' }], 'step 3 failed, volume is busy'],
    [{ error: { reason: 'volume is busy' } }, 'volume is busy'],
    [409, '409'],
    [{}, undefined],
    [null, undefined],
  ])('is its words: %j', async (error, words) => {
    const stage = await tasksOn();
    const stopping = { id: web1.instance_id, status: 'ACTIVE', task_state: 'powering-off', task_id: 't-1' };
    await stage.serve('stopInstance', { count: 1, results: [stopping] });
    const task = { id: 't-1', state: 'ERROR', task_type: 'stop_vm', data: web1, error };
    await stage.control('PUT', 'faults/readTask', { body: task });
    const { state, outcome } = await stage.change('/cloud stop web-1');
    expect(state).toBe('failed');
    expect(outcome?.error?.message).toMatch(
      words === undefined ? /The service does not say why\.$/u : new RegExp(`ended in ERROR: ${words}$`, 'u'),
    );
  });
});
