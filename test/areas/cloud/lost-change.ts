import { expect } from 'vitest';

import { sweep } from '../../due/sweep.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { extensions } from '../../../src/model/rulebook/schema.ts';
import { until } from '../../until.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';

export const web1 = {
  project_id: 1186668,
  region_id: 76,
  instance_id: '6c6aa80f-7836-4dc2-a2ae-125e248be476',
};
export const minute = 60_000;

/** The report if the service started nothing, with the consequences. */
export const noTask = {
  seen: 'The service has no reboot task from the time of this change, so the change most likely did not run.',
  suggests: 'failed',
};

export const tasksOn = () => openStage({ extensions });

/** A stage on which Bellhop knows the user of its own tasks. Nothing is in progress. */
export async function experienced(): Promise<ServiceStage> {
  const stage = await tasksOn();
  expect((await stage.change('/cloud reboot web-2')).state).toBe('succeeded');
  await stage.clock.advance(minute);
  await stage.sent();
  return stage;
}

/** A reboot of web-1 whose answer got lost. */
export async function lost(stage: ServiceStage, fault: object): Promise<Request> {
  await stage.control('PUT', 'faults/rebootInstance', { reset: true, times: 1, ...fault });
  const request = await stage.propose('alice', '/cloud reboot web-1');
  await stage.click('alice', request, 'confirm');
  return stage.becomes(request, 'unknown');
}

/** Lets time pass, and checks until the request has a note about its tasks or is settled. */
export async function looked(stage: ServiceStage, lostRequest: Request, ms = minute): Promise<Request> {
  await stage.clock.advance(ms);
  const { outcome } = await stage.find(lostRequest);
  const before = outcome?.search?.seen;
  return until(async () => {
    await sweep(stage.context);
    const request = await stage.find(lostRequest);
    return (request.state !== 'unknown' || request.outcome?.search?.seen !== before) && request;
  });
}
