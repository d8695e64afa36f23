import { expect } from 'vitest';

import { handleClick } from '../../../src/request/click.ts';
import { sweep } from '../../due/sweep.ts';
import type { Request, State } from '../../../src/model/records/request.ts';
import { extensions } from '../../../src/model/rulebook/schema.ts';
import { until } from '../../until.ts';
import { openStage, type Stage } from '../stage.ts';

export const web1 = {
  project_id: 1186668,
  region_id: 76,
  instance_id: '6c6aa80f-7836-4dc2-a2ae-125e248be476',
};
export const minute = 60_000;

/** What is said if the service began nothing, and what follows from it. */
export const noTask = {
  seen: 'The service has no reboot task from when this was sent, so it most likely did not run. Settle it, or run it again.',
  suggests: 'failed',
};

export const tasksOn = () => openStage({ extensions });

/** A stage on which Bellhop has seen the user of its own tasks, at rest. */
export async function experienced(): Promise<Stage> {
  const stage = await tasksOn();
  expect((await stage.change('/cloud reboot web-2')).state).toBe('succeeded');
  await stage.clock.advance(minute);
  await stage.sent();
  return stage;
}

export const found = async ({ store }: Pick<Stage, 'store'>, id: string): Promise<Request> => {
  const request = await store.find(id);
  if (!request) throw new Error(`${id} is gone`);
  return request;
};

/** Confirms a change as Alice. @returns its id */
export async function confirmed(stage: Stage, line: string): Promise<string> {
  const answer = await stage.ask(line);
  if (answer.kind !== 'request') throw new Error(`“${line}” came to a ${answer.kind}`);
  const { id, requester: actor, place } = answer.request;
  await handleClick(stage.context, { requestId: id, action: 'confirm', actor, place, correlationId: id });
  return id;
}

export const reaches = (stage: Stage, id: string, state: State) =>
  until(async () => {
    const request = await found(stage, id);
    return request.state === state && request;
  });

/** A reboot of web-1 whose answer got lost. */
export async function lost(stage: Stage, fault: object): Promise<Request> {
  await stage.control('PUT', 'faults/rebootInstance', { reset: true, times: 1, ...fault });
  return reaches(stage, await confirmed(stage, '/cloud reboot web-1'), 'unknown');
}

/** Lets time pass and checks until its tasks are mentioned, or it is settled. */
export async function looked(stage: Stage, { id }: Request, ms = minute): Promise<Request> {
  await stage.clock.advance(ms);
  const { outcome } = await found(stage, id);
  const before = outcome?.search?.seen;
  return until(async () => {
    await sweep(stage.context);
    const request = await found(stage, id);
    return (request.state !== 'unknown' || request.outcome?.search?.seen !== before) && request;
  });
}
