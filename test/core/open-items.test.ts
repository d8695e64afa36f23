import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Item } from '../../src/core/report.ts';
import { BellhopError } from '../../src/core/errors.ts';
import { type Boxes, openBoxes, type Who } from './boxes.ts';
import { people } from './who-may.ts';

let stage: Boxes;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const seenBy = async (who: Who): Promise<readonly string[]> =>
  (await stage.executor.openItems(people[who])).map(line);

const line = ({ title, state, buttons }: Item): string =>
  [title, state, ...buttons.map(({ action, text }) => `[${action}: ${text}]`)].join(' ');

describe('what waits', () => {
  it('is mine with the buttons that I may press, and nobody else sees it', async () => {
    await stage.ask('alice', '/box kick web-1');
    expect(await seenBy('alice')).toEqual(['Kick web-1 proposed [confirm: Kick web-1] [cancel: Cancel]']);
    expect(await seenBy('carol')).toEqual([]);
    expect(await seenBy("another team's user with alice's id")).toEqual([]);
  });

  it('is what I may approve, until I have', async () => {
    const request = await stage.ask('alice', '/box kick db-1');
    expect(await seenBy('alice')).toEqual(['Kick db-1 awaiting approval [cancel: Cancel]']);
    expect(await seenBy('carol')).toEqual(['Kick db-1 awaiting approval [approve: Approve] [deny: Deny]']);
    expect(await seenBy('bob')).toEqual([]);
    await stage.press('carol', request, 'approve');
    expect(await seenBy('carol')).toEqual([]);
    expect(await seenBy('lee')).toEqual(['Kick db-1 awaiting approval [approve: Approve] [deny: Deny]']);
  });

  it('is every outcome that is unknown, with its words to ask anew, for 7 days', async () => {
    stage.service.look = () => Promise.resolve(undefined);
    stage.service.kick = () => Promise.reject(new BellhopError('unknown-outcome', 'No answer.'));
    const request = await stage.ask('alice', '/box shove web-1 --reason "it hangs"');
    await stage.press('alice', request, 'confirm');
    await stage.becomes(request, 'unknown');
    const [item] = await stage.executor.openItems(people.bob);
    expect(item).toMatchObject({
      title: 'Shove web-1',
      state: 'unknown',
      why: 'it hangs',
      by: { user: 'U0ALICE' },
      buttons: [{ action: 'again', value: '/box shove web-1 --reason "it hangs"' }],
    });
    await stage.clock.advance(7 * 24 * 60 * 60_000);
    expect(await seenBy('bob')).toHaveLength(1);
    await stage.clock.advance(1);
    expect(await seenBy('bob')).toEqual([]);
  });

  it('is nothing once it is over', async () => {
    const request = await stage.ask('alice', '/box kick web-1');
    await stage.press('alice', request, 'cancel');
    expect(await seenBy('alice')).toEqual([]);
  });
});
