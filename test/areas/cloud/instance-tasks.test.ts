import { describe, expect, test } from 'vitest';

import { handleClick } from '../../../src/request/click.ts';
import { checkNow, settleByHand } from '../../../src/request/outcome/settle-by-hand.ts';
import { recoverAtStart } from '../../../src/request/deadline.ts';
import { tellNotices } from '../../due/notices.ts';
import { sweep } from '../../due/sweep.ts';
import { until } from '../../until.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';
import { alice } from '../../people.ts';
import { experienced, looked, lost, minute, noTask, tasksOn, web1 } from './lost-change.ts';

const events = async ({ store }: ServiceStage, requestId: string) =>
  (await store.audit({ requestId, limit: 20 })).map(({ event, outcome }) => `${event} → ${outcome}`);

describe('a change that was answered with a task', () => {
  test('runs until the task has ended, and then says that the instance has rebooted', async () => {
    const stage = await tasksOn();
    const { id } = await stage.click('alice', await stage.propose('alice', '/cloud reboot web-1'), 'confirm');
    const accepted = await until(async () => {
      const request = await stage.find({ id });
      return request.outcome?.tasks && request;
    });
    expect(accepted.state).toBe('running');
    const ended = await stage.confirmedEnd(id);
    expect(ended).toMatchObject({
      state: 'succeeded',
      outcome: { report: { title: 'web-1 has rebooted', tone: 'good' }, tasks: { user: '2077' } },
    });
    expect(await events(stage, id)).toContain('ended → succeeded');
    expect(await stage.sent('rebootInstance')).toBe(1);
  });

  test('failed if the task ends in ERROR, with its text', async () => {
    const stage = await tasksOn();
    await stage.control('PUT', 'faults/stopInstance', { task_error: 'No host has room', times: 1 });
    const { state, outcome } = await stage.change('/cloud stop web-1');
    expect(state).toBe('failed');
    expect(outcome?.error?.code).toBe('task-failed');
    expect(outcome?.error?.message).toMatch(/^Task \S+ ended in ERROR: No host has room$/);
  });

  test('ends as accepted after ten minutes, with what was seen', async () => {
    const stage = await tasksOn();
    await stage.control('PUT', 'faults/readTask', { status: 404 });
    const { state, outcome, startedAt = 0, endedAt = 0 } = await stage.change('/cloud reboot web-1');
    expect(state).toBe('succeeded');
    expect(outcome?.report).toMatchObject({
      title: 'Accepted: web-1 is rebooting',
      tone: 'unsure',
      notes: ['After 10 minutes, the task still could not be read. Check web-1.'],
    });
    expect(endedAt - startedAt).toBeGreaterThanOrEqual(10 * minute);
    expect(await stage.sent('readTask')).toBeLessThan(30);
  });

  test('is followed by another process after a restart, and by one of two at a time', async () => {
    const stage = await tasksOn();
    const { id } = await stage.click('alice', await stage.propose('alice', '/cloud reboot web-1'), 'confirm');
    await until(async () => (await stage.find({ id })).outcome?.tasks);
    const [one, other] = [stage.another(), stage.another()];
    await recoverAtStart(one);
    expect((await stage.find({ id })).state).toBe('running');
    await stage.clock.advance(10_000);
    await stage.sent();
    await Promise.all([one, other, one].map(sweep));
    await stage.becomes({ id }, 'succeeded');
    expect(await stage.sent('readTask')).toBe(1);
  });
});

describe('an unknown outcome', () => {
  test('is settled by the task that was created in the send window, with the evidence on record', async () => {
    const stage = await experienced();
    const unknown = await lost(stage, { after: true });
    const settled = await looked(stage, unknown);
    expect(settled).toMatchObject({
      state: 'succeeded',
      outcome: { report: { title: 'web-1 has rebooted' } },
    });
    const task = settled.outcome?.settledBy;
    const [entry] = await stage.store.audit({ requestId: unknown.id, limit: 1 });
    expect(entry).toMatchObject({ event: 'settled', outcome: 'succeeded' });
    expect(entry?.note).toContain(
      `Task ${task} (soft_reboot_vm, FINISHED) is the only one that Bellhop's key, user 2077, created between`,
    );
    expect(await stage.sent('rebootInstance')).toBe(1);
  });

  test('is settled as failed by a task that ended in ERROR, with its text', async () => {
    const stage = await experienced();
    const unknown = await lost(stage, { after: true, task_error: 'No host has room' });
    const settled = await looked(stage, unknown);
    expect(settled.state).toBe('failed');
    expect(settled.outcome?.error?.message).toContain('ended in ERROR: No host has room');
    expect(await events(stage, unknown.id)).toContain('settled → failed');
  });

  test('waits for its task while that runs', async () => {
    const stage = await experienced();
    const unknown = await lost(stage, { after: true });
    const early = await looked(stage, unknown, 1000);
    expect(early.outcome?.search?.seen).toMatch(/^Task \S+ belongs to this request and is still RUNNING\.$/);
    expect(early.outcome?.search?.suggests).toBe('succeeded');
    expect((await looked(stage, unknown)).state).toBe('succeeded');
  });

  test('stays unknown where nothing came of it, and says so', async () => {
    const stage = await experienced();
    const unknown = await lost(stage, {});
    const { state, outcome } = await looked(stage, unknown);
    expect([state, outcome?.search]).toEqual(['unknown', expect.objectContaining(noTask)]);
    expect(await stage.sent('rebootInstance')).toBe(1);
  });

  test('has a second notice once Bellhop sees that it most likely did not run, and only one', async () => {
    const stage = await experienced();
    const told = async () =>
      (await tellNotices(stage.store, stage.clock.now())).map(({ kind, why }) => `${kind}: ${why}`);
    await told();
    const unknown = await lost(stage, {});
    const first = await told();
    expect(first).toEqual([expect.stringMatching(/^unknown: ./u)]);
    await looked(stage, unknown);
    expect(await told()).toEqual(first);
    await stage.clock.advance(10 * minute);
    await sweep(stage.context);
    await stage.context.backgroundTasks.drained(minute);
    expect(await told()).toEqual([]);
  });

  test('has no second notice if a person pressed Check now', async () => {
    const stage = await experienced();
    const unknown = await lost(stage, {});
    expect(await tellNotices(stage.store, stage.clock.now())).not.toEqual([]);
    await stage.clock.advance(minute);
    const caller = { actor: alice, place: unknown.place, correlationId: 'c' };
    const { request } = await checkNow(stage.context, caller, unknown.id);
    expect(request.outcome?.search).toMatchObject(noTask);
    expect(await tellNotices(stage.store, stage.clock.now())).toEqual([]);
  });

  test('keeps the evidence and its time if a later check cannot read the tasks', async () => {
    const stage = await experienced();
    const unknown = await looked(stage, await lost(stage, {}));
    const { at } = unknown.outcome?.search ?? {};
    const check = async () => {
      await stage.clock.advance(minute);
      const caller = { actor: alice, place: unknown.place, correlationId: 'c' };
      return (await checkNow(stage.context, caller, unknown.id)).request;
    };
    await stage.control('PUT', 'faults/listTasks', { status: 503 });
    const { outcome } = await check();
    expect(outcome?.search).toMatchObject({ ...noTask, at, unconfirmed: true });
    expect(outcome?.look?.at).toBe(stage.clock.now());
    await stage.control('DELETE', 'faults');
    const again = (await check()).outcome?.search;
    expect(again).toMatchObject({ ...noTask, at: stage.clock.now() });
    expect(again?.unconfirmed).toBeUndefined();
  });

  test('is not settled as “It did not run” by a person who was not asked once more, if it may have run', async () => {
    const stage = await tasksOn();
    const unknown = await looked(stage, await lost(stage, { after: true }));
    const caller = { actor: alice, place: unknown.place, correlationId: 'c' };
    const settle = (isSure: boolean) =>
      settleByHand(stage.context, caller, unknown.id, { state: 'failed', reason: 'its uptime', isSure });
    await expect(settle(false)).rejects.toThrow('The change of web-1 may have run. Nothing was settled.');
    expect((await stage.find(unknown)).state).toBe('unknown');
    expect((await settle(true)).state).toBe('failed');
  });

  test('is not settled by what someone else did in the window', async () => {
    const stage = await experienced();
    await stage.control('POST', 'elsewhere', { ...web1, action: 'reboot' });
    const { state, outcome } = await looked(stage, await lost(stage, {}));
    expect([state, outcome?.search?.seen]).toEqual([
      'unknown',
      expect.stringMatching(/not with Bellhop's key\.$/),
    ]);
  });

  test('is not settled by another action, or on another instance', async () => {
    const stage = await experienced();
    const unknown = await lost(stage, {});
    await stage.control('POST', 'elsewhere', { ...web1, action: 'stop', user_id: 2077 });
    const web2 = { ...web1, instance_id: '2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10' };
    await stage.control('POST', 'elsewhere', { ...web2, action: 'reboot', user_id: 2077 });
    const { state, outcome } = await looked(stage, unknown);
    expect([state, outcome?.search]).toEqual(['unknown', expect.objectContaining(noTask)]);
  });

  test('is not settled where a second request for the target was sent since', async () => {
    const stage = await experienced();
    const unknown = await lost(stage, { after: true });
    await stage.clock.advance(10_000);
    const second = await stage.change('/cloud reboot web-1');
    expect(second.state).toBe('succeeded');
    const { state, outcome } = await until(async () => {
      await sweep(stage.context);
      const request = await stage.find(unknown);
      return request.outcome?.search?.seen !== undefined && request;
    });
    expect(state).toBe('unknown');
    expect(outcome?.search?.seen).toMatch(
      new RegExp(
        `It may also be U0ALICE's reboot of web-1 at [-\\d]+ [:\\d]+ UTC \\(${second.id}\\)\\.$`,
        'u',
      ),
    );
    expect(outcome?.search?.mayHaveRun).toBe(true);
  });

  test('is not settled before Bellhop has seen the user of its own tasks', async () => {
    const stage = await tasksOn();
    const unknown = await lost(stage, { after: true });
    const { state, outcome } = await looked(stage, unknown);
    expect(state).toBe('unknown');
    expect(outcome?.search?.seen).toContain(
      "may well have run. But Bellhop can't recognize its own tasks yet",
    );
    expect(outcome?.search?.mayHaveRun).toBe(true);
  });

  test.each([
    ['fails', { status: 500 }],
    ['is garbled', { body: { count: 1, results: [{ id: 7 }] } }],
    ['is cut off', { body: { count: 2, results: [] } }],
    ['is not a task list', { body: { detail: 'moved' } }],
  ])('stays unknown where the list of tasks %s, and is settled once it can be read', async (_, fault) => {
    const stage = await experienced();
    const unknown = await lost(stage, { after: true });
    await stage.control('PUT', 'faults/listTasks', fault);
    expect((await looked(stage, unknown)).state).toBe('unknown');
    await stage.control('DELETE', 'faults');
    expect((await looked(stage, unknown)).state).toBe('succeeded');
  });

  test('is settled where the clock of the service is ahead, and not where by more than five minutes', async () => {
    const stage = await experienced();
    await stage.control('POST', 'clock', { advance_ms: 200_000 });
    expect((await looked(stage, await lost(stage, { after: true }))).state).toBe('succeeded');
    await stage.control('POST', 'clock', { advance_ms: 200_000 });
    const { state, outcome } = await looked(stage, await lost(stage, { after: true }));
    expect([state, outcome?.search?.seen]).toEqual([
      'unknown',
      expect.stringContaining('by more than five minutes'),
    ]);
  });

  test('of a process that was killed is settled by the next one, and its change is sent once', async () => {
    const stage = await experienced();
    const answered = Promise.withResolvers<void>();
    // As after kill -9: the answer is lost, and nothing more is written.
    const dying = stage.another({
      ...stage.store,
      advance(step) {
        if (step.to !== 'unknown') return stage.store.advance(step);
        answered.resolve();
        return new Promise(() => undefined);
      },
    });
    await stage.control('PUT', 'faults/rebootInstance', { reset: true, after: true, times: 1 });
    const answer = await stage.ask('/cloud reboot web-1');
    if (answer.kind !== 'request') throw new Error(`it came to a ${answer.kind}`);
    const { id, requester: actor, place } = answer.request;
    await handleClick(dying, { requestId: id, action: 'confirm', actor, place, correlationId: id });
    await answered.promise;
    await stage.clock.advance(5000);
    const next = stage.another();
    await recoverAtStart(next);
    const unknown = await stage.becomes({ id }, 'unknown');
    expect((await looked(stage, unknown)).state).toBe('succeeded');
    expect(await stage.sent('rebootInstance')).toBe(1);
  });

  test('is settled once by two replicas that look at the same time', async () => {
    const stage = await experienced();
    const { id } = await lost(stage, { after: true });
    await stage.clock.advance(minute);
    const other = stage.another();
    await until(async () => {
      await Promise.all([stage.context, other, other].map(sweep));
      return (await stage.find({ id })).state === 'succeeded';
    });
    expect((await events(stage, id)).filter((line) => line.startsWith('settled'))).toHaveLength(1);
    expect(await stage.sent('listTasks')).toBe(1);
  });

  test('is looked into for an hour, with growing pauses, not for ever', async () => {
    const stage = await experienced();
    await lost(stage, {});
    for (let minutes = 0; minutes < 70; minutes += 1) {
      await stage.clock.advance(minute);
      await sweep(stage.context);
      await stage.context.backgroundTasks.drained(minute);
    }
    const looks = await stage.sent('listTasks');
    expect(looks).toBeGreaterThan(10);
    expect(looks).toBeLessThan(25);
    await stage.clock.advance(60 * minute);
    await sweep(stage.context);
    await stage.context.backgroundTasks.drained(minute);
    expect(await stage.sent('listTasks')).toBe(0);
  });

  test('is not looked into without the extension', async () => {
    const stage = await openStage({ extensions: [] });
    const { id } = await lost(stage, { after: true });
    await stage.clock.advance(minute);
    await sweep(stage.context);
    const { state, outcome } = await stage.find({ id });
    expect([state, outcome?.search]).toEqual(['unknown', undefined]);
    expect(await stage.sent('listTasks')).toBe(0);
  });
});
