import { describe, expect, it } from 'vitest';

import { byServiceClock, findOurTask, nextPause } from '../../../src/request/outcome/tasks.ts';
import type { Task, TaskList } from '../../../src/model/operation.ts';

const task = (more: Partial<Task> = {}): Task => ({
  id: 't-1',
  state: 'finished',
  type: 'soft_reboot_vm',
  stateName: 'FINISHED',
  created: { from: 1500, to: 1500 },
  user: '7',
  ...more,
});
const list = (...tasks: Task[]): TaskList => ({ tasks, complete: true, named: true });
const window = { from: 1000, to: 2000 };
const ours = { id: 'r-1', user: '7' };

describe('the task of a change', () => {
  it('is the only one that was created in the window with our user', () => {
    const before = task({ id: 't-0', created: { from: 0, to: 999 } });
    const after = task({ id: 't-2', created: { from: 2001, to: 2001 } });
    expect(findOurTask(list(before, task(), after), window, ours)).toEqual({ kind: 'ours', task: task() });
  });

  it('may be one that is known to the second, and reaches into the window', () => {
    const early = task({ created: { from: 1, to: 1000 } });
    expect(findOurTask(list(early), window, ours).kind).toBe('ours');
  });

  it('is the one that has the id of the request, even without a user and a time', () => {
    const marked = task({ created: undefined, user: undefined, request: 'r-1' });
    const others = [task(), task({ id: 't-2', request: 'r-2' })];
    const cut = { ...list(...others, marked), complete: false, named: false };
    expect(findOurTask(cut, window, { id: 'r-1', user: undefined })).toEqual({ kind: 'ours', task: marked });
  });

  it('is not one that has the id of another request', () => {
    expect(findOurTask(list(task({ request: 'r-2' })), window, ours)).toEqual({ kind: 'none' });
  });

  it('is not there if none was created in the window', () => {
    const early = task({ created: { from: 0, to: 999 } });
    expect(findOurTask(list(early), window, ours)).toEqual({ kind: 'none' });
    expect(findOurTask(list(), window, { id: 'r-1', user: undefined })).toEqual({ kind: 'none' });
  });

  it.each([
    [true, 'our user is not known', list(task()), undefined],
    [true, 'two of our user were created then', list(task(), task({ id: 't-2' })), '7'],
    [true, 'its user is missing', list(task({ user: undefined })), '7'],
    [undefined, 'another user made it', list(task({ user: '8' })), '7'],
    [undefined, 'not all tasks could be read', { ...list(task()), complete: false }, '7'],
  ])('may be that of the change: %s, where %s', (mayHaveRun, _, tasks, user) => {
    const found = findOurTask(tasks, window, { id: 'r-1', user });
    expect(found.kind === 'unproven' && found.mayHaveRun).toBe(mayHaveRun);
  });

  it.each<[what: string, list: TaskList, user: string | undefined, why: RegExp]>([
    ['another user made it', list(task({ user: '8' })), '7', /not with Bellhop's key/],
    [
      'two of our user were created then',
      list(task(), task({ id: 't-2' })),
      '7',
      /t-1 and t-2.*can't tell which of them is its own/,
    ],
    [
      'our user is not known',
      list(task()),
      undefined,
      /may well have run\. But Bellhop can't recognize its own tasks yet/,
    ],
    ['its user is missing', list(task({ user: undefined })), '7', /with whose key/],
    ['another task has no user', list(task(), task({ id: 't-2', user: undefined })), '7', /with whose key/],
    [
      'the list is cut off',
      { tasks: [task()], complete: false, named: true },
      '7',
      /Not all tasks could be read/,
    ],
    ['one names no instance', { tasks: [task()], complete: true, named: false }, '7', /used as evidence/],
    ['a time cannot be read', list(task(), task({ created: undefined })), '7', /Not all tasks could be read/],
    [
      'the list is cut off and empty',
      { tasks: [], complete: false, named: true },
      '7',
      /Not all tasks could be read/,
    ],
  ])('is not proven where %s', (_, tasks, user, why) => {
    const found = findOurTask(tasks, window, { id: 'r-1', user });
    expect(found.kind === 'unproven' && found.why).toMatch(why);
  });
});

describe('a period by the clock of the service', () => {
  it('is moved by the difference, and as much wider as that is uncertain', () => {
    // The service said 90,000 to the second, when it was 100,100 to 100,300 here.
    const period = byServiceClock({ from: 50_000, to: 51_000 }, { from: 100_100, to: 100_300 }, 90_000);
    expect(period).toEqual({ from: 39_700, to: 41_899 });
  });

  it('is two seconds wider on both sides if the service tells no time', () => {
    const period = byServiceClock({ from: 50_000, to: 51_000 }, { from: 0, to: 0 }, undefined);
    expect(period).toEqual({ from: 48_000, to: 53_000 });
  });
});

it('looks again after growing pauses, from two seconds to a minute', () => {
  expect([0, 4000, 10_000, 60_000, 600_000].map((ms) => nextPause(ms))).toEqual([
    2000, 2000, 5000, 30_000, 60_000,
  ]);
});
