import { describe, expect, test } from 'vitest';

import { BellhopError } from '../../../src/core/model/errors.ts';
import type { Request } from '../../../src/core/request/request.ts';
import { until } from '../../until.ts';
import { alice, openStage, type Stage } from '../stage.ts';

const minute = 60_000;

const found = async ({ store }: Stage, { id }: Request): Promise<Request> => {
  const request = await store.find(id);
  if (!request) throw new Error(`${id} is gone`);
  return request;
};

/** A reboot of web-1 of which only a read can tell anything, and whose answer got lost. */
async function lost(stage: Stage): Promise<Request> {
  await stage.control('PUT', 'faults/rebootInstance', { reset: true, after: true, times: 1 });
  const unknown = await stage.change('/cloud reboot web-1');
  expect(unknown.state).toBe('unknown');
  const seen = await until(async () => {
    const request = await found(stage, unknown);
    return request.outcome?.sighting && request;
  });
  await stage.clock.advance(10_000);
  return seen;
}

const checkNow = (stage: Stage, { id }: Request, user = alice.user): Promise<Request> =>
  stage.bellhop.checkNow(
    { actor: { team: 'T0LOCAL', user }, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c' },
    id,
  );

describe('Check now', () => {
  test('says what is there beside what was before and since when, and keeps what proved a change', async () => {
    const stage = await openStage();
    const unknown = await lost(stage);
    expect(unknown.outcome?.sighting?.title).toBe('web-1 is rebooting, by this request or by somebody else');
    await stage.clock.advance(5 * minute);
    const at = stage.clock.now();
    const seen = await checkNow(stage, unknown);
    expect(seen).toMatchObject({
      state: 'unknown',
      outcome: {
        sighting: { title: 'web-1 is rebooting, by this request or by somebody else' },
        look: { at, since: at, title: 'web-1 looks as before: ACTIVE, active' },
      },
    });
    await stage.clock.advance(minute);
    expect((await checkNow(stage, unknown)).outcome?.look).toMatchObject({ at: at + minute, since: at });
    expect(await stage.sent('rebootInstance')).toBe(1);
  });

  test('is for those who may run or approve it, and the others are told who may', async () => {
    const stage = await openStage();
    const unknown = await lost(stage);
    await expect(checkNow(stage, unknown, 'U0NOBODY')).rejects.toThrow(/^You may not check this/u);
    const { outcome } = await checkNow(stage, unknown, 'U0CAROL');
    expect(outcome?.look?.at).toBe(stage.clock.now());
    const [entry] = await stage.store.audit({ requestId: unknown.id, limit: 1 });
    expect(entry).toMatchObject({ event: 'ignored click', actor: { user: 'U0NOBODY' } });
  });

  test('says that the request has ended otherwise, or is gone', async () => {
    const stage = await openStage();
    const ended = await stage.change('/cloud reboot web-2');
    await expect(checkNow(stage, ended)).rejects.toThrow('The request for web-2 is already succeeded');
    await expect(checkNow(stage, { ...ended, id: 'r-none' })).rejects.toThrow(BellhopError);
  });

  test('needs a service that can be asked', async () => {
    const stage = await openStage({ extensions: [] });
    await stage.control('PUT', 'faults/rebootInstance', { reset: true, times: 1 });
    const unknown = await stage.change('/cloud reboot web-1');
    await expect(checkNow(stage, unknown)).rejects.toThrow('gives no way to look at it');
  });
});

test('looking goes on by itself for an hour, on whichever of two replicas, and after a restart', async () => {
  const stage = await openStage();
  const unknown = await lost(stage);
  const [one, other] = [stage.another(), stage.another()];
  await one.recover();
  await stage.sent();
  for (let minutes = 0; minutes < 60; minutes += 1) {
    await stage.clock.advance(minute);
    await Promise.all([one.sweep(), other.sweep()]);
    await Promise.all([one.drained(minute), other.drained(minute)]);
  }
  const { outcome } = await found(stage, unknown);
  expect(stage.clock.now() - (outcome?.look?.at ?? 0)).toBeLessThanOrEqual(5 * minute);
  const looks = await stage.sent('readInstance');
  expect(looks).toBeGreaterThan(10);
  expect(looks).toBeLessThan(30);
});
