import { describe, expect, test } from 'vitest';

import { recoverAtStart } from '../../../src/request/deadline.ts';
import { sweep } from '../../due/sweep.ts';
import {
  checkNow as lookNow,
  requestToSettle,
  settleByHand,
} from '../../../src/request/outcome/settle-by-hand.ts';
import type { Caller } from '../../../src/model/values/actor.ts';
import { BellhopError } from '../../../src/model/values/errors.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { until } from '../../until.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';
import { alice } from '../../people.ts';
import { utc } from '../../../src/text/parts.ts';

const minute = 60_000;

async function lost(stage: ServiceStage): Promise<Request> {
  await stage.control('PUT', 'faults/rebootInstance', { reset: true, after: true, times: 1 });
  const unknown = await stage.change('/cloud reboot web-1');
  expect(unknown.state).toBe('unknown');
  const seen = await until(async () => {
    const request = await stage.find(unknown);
    return request.outcome?.sighting && request;
  });
  await stage.clock.advance(10_000);
  return seen;
}

const by = (user: string): Caller => ({
  actor: { team: 'T0LOCAL', user },
  place: { team: 'T0LOCAL', channel: 'C0OPS' },
  correlationId: 'c',
});

const checkNow = async (stage: ServiceStage, { id }: Request, user = alice.user): Promise<Request> =>
  (await lookNow(stage.context, by(user), id)).request;

describe('Check now', () => {
  test('shows the current state next to the earlier one, never since when, and keeps the proof of a change', async () => {
    const stage = await openStage();
    const unknown = await lost(stage);
    expect(unknown.outcome?.sighting?.title).toBe(
      "web-1 is rebooting. That may be this request or someone else's change",
    );
    await stage.clock.advance(5 * minute);
    const at = stage.clock.now();
    const seen = await checkNow(stage, unknown);
    expect(seen).toMatchObject({
      state: 'unknown',
      outcome: {
        sighting: { title: "web-1 is rebooting. That may be this request or someone else's change" },
        sightedAt: unknown.outcome?.sightedAt,
        // Only the service could say for how long web-1 has been ACTIVE.
        look: {
          at,
          title: 'web-1 is ACTIVE, as it was before, so this does not show whether it ran. Its uptime does',
        },
      },
    });
    await stage.clock.advance(minute);
    expect((await checkNow(stage, unknown)).outcome?.look?.at).toBe(at + minute);
    expect(await stage.sent('rebootInstance')).toBe(1);
  });

  test('names a later change by Bellhop that the check may show, and does not take it as evidence', async () => {
    const stage = await openStage();
    const unknown = await lost(stage);
    await stage.clock.advance(minute);
    const later = await stage.propose('carol', '/cloud reboot web-1');
    await stage.click('carol', later, 'confirm');
    await stage.becomes(later, 'succeeded');
    const body = { status: 'REBOOT', vm_state: 'active', task_state: 'rebooting' };
    await stage.control('PUT', 'faults/readInstance', { status: 200, body });
    const { outcome } = await checkNow(stage, unknown);
    expect(outcome).toMatchObject({
      sighting: unknown.outcome?.sighting,
      sightedAt: unknown.outcome?.sightedAt,
    });
    const change =
      `That may be U0CAROL's later change of web-1 (${later.id}, ${utc(later.createdAt)}), ` +
      'so neither its state nor its uptime shows whether this one ran';
    expect(outcome?.look?.title).toBe(`web-1 is REBOOT, active, rebooting. ${change}`);
    expect(outcome?.look?.isSighting).toBeUndefined();
    // Back in the state before the change, its uptime is that of the later change.
    await stage.control('DELETE', 'faults');
    await stage.clock.advance(minute);
    expect((await checkNow(stage, unknown)).outcome?.look?.title).toBe(`web-1 is ACTIVE. ${change}`);
  });

  test('is for people who may run or approve it, and others learn who may', async () => {
    const stage = await openStage();
    const unknown = await lost(stage);
    await expect(checkNow(stage, unknown, 'U0NOBODY')).rejects.toThrow(/^You can't check this\./u);
    const { outcome } = await checkNow(stage, unknown, 'U0CAROL');
    expect(outcome?.look?.at).toBe(stage.clock.now());
    const [entry] = await stage.store.audit({ requestId: unknown.id, limit: 1 });
    expect(entry).toMatchObject({ event: 'ignored click', actor: { user: 'U0NOBODY' } });
  });

  test('says that the request has ended otherwise, or is gone', async () => {
    const stage = await openStage();
    const ended = await stage.change('/cloud reboot web-2');
    await expect(checkNow(stage, ended)).rejects.toThrow('The request for web-2 has already succeeded');
    await expect(checkNow(stage, { ...ended, id: 'r-none' })).rejects.toThrow(BellhopError);
  });

  test('needs a service that can be asked', async () => {
    const stage = await openStage({ extensions: [] });
    await stage.control('PUT', 'faults/rebootInstance', { reset: true, times: 1 });
    const unknown = await stage.change('/cloud reboot web-1');
    await expect(checkNow(stage, unknown)).rejects.toThrow(
      "Bellhop can't ask the service about this. Check the target, then settle the request.",
    );
  });
});

test('checking continues by itself for an hour, on any replica, even after a restart', async () => {
  const stage = await openStage();
  const unknown = await lost(stage);
  const [one, other] = [stage.another(), stage.another()];
  await recoverAtStart(one);
  await stage.sent();
  for (let minutes = 0; minutes < 60; minutes += 1) {
    await stage.clock.advance(minute);
    await Promise.all([one, other].map(sweep));
    await Promise.all([one, other].map(({ backgroundTasks }) => backgroundTasks.drained(minute)));
  }
  const { outcome } = await stage.find(unknown);
  expect(stage.clock.now() - (outcome?.look?.at ?? 0)).toBeLessThanOrEqual(5 * minute);
  const looks = await stage.sent('readInstance');
  expect(looks).toBeGreaterThan(10);
  expect(looks).toBeLessThan(30);
});

describe('Settle', () => {
  const verdict = { state: 'succeeded', reason: 'Its uptime is two minutes' } as const;

  test('ends an unknown outcome by the word of a person, once, with who and why on record', async () => {
    const stage = await openStage();
    const { id } = await lost(stage);
    const other = stage.another();
    const settled = await Promise.allSettled([
      settleByHand(stage.context, by('U0CAROL'), id, verdict),
      settleByHand(other, by('U0ALICE'), id, { state: 'failed', reason: 'No' }),
    ]);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const entries = await stage.store.audit({ requestId: id, limit: 20 });
    const [entry, ...more] = entries.filter(({ event }) => event === 'settled');
    expect(more).toEqual([]);
    const request = await stage.store.find(id);
    expect(request?.outcome?.settledByHand).toMatchObject({ by: entry?.actor, reason: entry?.reason });
    expect(request?.state).toBe(entry?.outcome);
    expect(await stage.sent('rebootInstance')).toBe(1);
  });

  test('is for people who may run it, even while checking continues, and needs a reason', async () => {
    const stage = await openStage();
    const { id } = await lost(stage);
    await expect(settleByHand(stage.context, by('U0NOBODY'), id, verdict)).rejects.toThrow(
      /^You can't settle/u,
    );
    await expect(requestToSettle(stage.context, by('U0NOBODY'), id)).rejects.toThrow(/^You can't settle/u);
    await expect(settleByHand(stage.context, by('U0CAROL'), id, { ...verdict, reason: ' ' })).rejects.toThrow(
      'Give a reason of at most 500 characters.',
    );
    expect((await stage.store.find(id))?.state).toBe('unknown');
    const [ended] = await Promise.all([
      settleByHand(stage.context, by('U0CAROL'), id, verdict),
      lookNow(stage.context, by('U0ALICE'), id),
    ]);
    expect(ended.state).toBe('succeeded');
    await expect(settleByHand(stage.context, by('U0ALICE'), id, verdict)).rejects.toThrow(
      'already succeeded',
    );
  });
});
