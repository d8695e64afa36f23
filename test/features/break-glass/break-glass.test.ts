import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { requestHere } from '../../../src/request/click-permissions.ts';
import { breakableGlass, breakGlass } from '../../../src/features/break-glass/break-glass.ts';
import { callerOf } from '../../core.ts';
import { openBoxes, type BoxStage } from '../../run/sample-boxes.ts';
import { people, type Who } from '../../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const asked = (who: Who, id: string, channel?: string) =>
  messageOf(breakableGlass(stage.context, callerOf(people[who], channel), id));

describe('the button that breaks the glass', () => {
  it('is for the requester, wherever they review it, as long as an approval is waited for', async () => {
    const { id } = await stage.propose('alice', '/box kick db-1');
    expect(await asked('alice', id)).toBe('done');
    expect(await asked('carol', id)).toBe('Only U0ALICE can use break-glass for this. Nothing was done.');
    expect(await asked('alice', id, 'C0GENERAL')).toBe('done');
    expect(await asked('carol', id, 'C0GENERAL')).toBe('This channel has no such request. Nothing was done.');
    await stage.click('alice', { id }, 'cancel');
    expect(await asked('alice', id)).toContain('has already been cancelled. There is no approval to skip.');
    expect(stage.service.kicks).toEqual([]);
  });

  it('proposes it anew, to be confirmed, and records who may not', async () => {
    const { id } = await stage.propose('alice', '/box kick db-1');
    const broken = (who: Who) => breakGlass(stage.context, callerOf(people[who]), id, 'the shop is down');
    expect(await messageOf(broken('bob'))).toContain('Only U0ALICE can');
    expect(await stage.store.audit({ limit: 1 })).toMatchObject([{ actor: { user: 'U0BOB' } }]);
    expect(await broken('alice')).toMatchObject({
      request: { state: 'proposed', breakGlass: 'the shop is down' },
    });
    expect((await stage.find({ id })).state).toBe('awaiting approval');
  });
});

it('anyone who can see a card can open its details', async () => {
  const { id } = await stage.propose('alice', '/box kick db-1');
  const details = (channel: string) => requestHere(stage.context, callerOf(people.bob, channel), id);
  expect(await details('C0OPS')).toMatchObject({ id });
  expect(await messageOf(details('C0GENERAL'))).toBe('This channel has no such request. Nothing was done.');
});
