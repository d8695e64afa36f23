import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ownership } from '../../../src/features/ownership/index.ts';
import { handBackAction } from '../../../src/features/ownership/render.ts';
import { timelineOf } from '../timeline-of.ts';
import { hour, minute, openOwnership, type OwnershipStage } from './ownership-stage.ts';

let stage: OwnershipStage;
beforeEach(async () => {
  stage = await openOwnership();
});
afterEach(() => stage.boxes.close());

describe('being on an alert ends', () => {
  it('once the alert is resolved', async () => {
    const message = await stage.fire();
    await stage.press('bob', message);
    await stage.fire('resolved');
    await stage.boxes.clock.advance(minute);
    await stage.work();
    expect(await stage.owners()).toEqual([]);
    expect(stage.inThread()).toEqual([]);
    expect((await stage.log()).at(-1)).toBe(
      'alert handed back: InstanceDown on db-1 (grafana), from U0BOB, because the alert ended by Bellhop',
    );
  });

  it('after a time, which is said in the thread, to the owner, once', async () => {
    const message = await stage.fire();
    await stage.press('bob', message);
    await stage.boxes.clock.advance(4 * hour);
    await stage.work();
    await stage.work();
    expect(await stage.owners()).toEqual([]);
    expect(stage.inThread()).toMatchObject([{ to: 'C0INC42', thread: message.ts }]);
    expect(stage.inThread()[0]?.message.text).toMatch(
      /^<@U0BOB>: you have been on InstanceDown on db-1 since .*\. Your time ran out, so no one is on it now\. Press/u,
    );
    expect(await stage.shown(message)).toContain("I'm on it");
    expect((await stage.log()).at(-1)).toMatch(/because the time ran out by Bellhop$/u);
  });
});

it('the timeline says who took, took over and handed back an alert, and what ended that', async () => {
  const message = await stage.fire();
  await stage.press('bob', message);
  await stage.press('carol', message);
  await stage.press('carol', message, handBackAction);
  await stage.press('bob', message);
  await stage.boxes.clock.advance(4 * hour);
  await stage.work();
  await stage.press('bob', message);
  await stage.fire('resolved');
  await stage.boxes.clock.advance(minute);
  await stage.work();
  const entries = (await stage.boxes.store.audit({ limit: 100 })).filter(({ event }) =>
    event.startsWith('alert '),
  );
  expect(timelineOf(entries, ownership.events)).toEqual([
    '@U0BOB took an alert: InstanceDown on db-1 (grafana)',
    '@U0CAROL took over an alert: InstanceDown on db-1 (grafana), from U0BOB',
    '@U0CAROL handed back an alert: InstanceDown on db-1 (grafana)',
    '@U0BOB took an alert: InstanceDown on db-1 (grafana)',
    'Bellhop took back an alert: InstanceDown on db-1 (grafana), from U0BOB, because the time ran out',
    '@U0BOB took an alert: InstanceDown on db-1 (grafana)',
    'Bellhop took back an alert: InstanceDown on db-1 (grafana), from U0BOB, because the alert ended',
  ]);
});
