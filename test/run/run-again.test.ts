import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runAgain } from '../../src/run/run-command.ts';
import { openBoxes, type BoxStage } from './sample-boxes.ts';
import { callerOf } from '../core.ts';
import { people, type Who } from '../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const again = (who: Who, id: string) => runAgain(stage.context, callerOf(people[who]), id);

describe('asking again', () => {
  it('makes a new request of the same, with the reason of anyone who asked', async () => {
    const first = await stage.propose('alice', '/box kick web-1 --reason "it hangs"');
    await stage.click('alice', first, 'cancel');
    const answer = await again('alice', first.id);
    expect(answer).toMatchObject({
      kind: 'request',
      request: { state: 'proposed', words: first.words, reason: 'it hangs', requester: { user: 'U0ALICE' } },
    });
    expect(answer.kind === 'request' && answer.request.id).not.toBe(first.id);
    expect((await stage.find(first)).state).toBe('cancelled');
    expect(stage.service.kicks).toEqual([]);
  });

  it('takes over neither the reason nor the broken glass of someone else', async () => {
    const first = await stage.propose('lee', '/box kick db-1 --reason "it hangs" --break-glass fire');
    await stage.click('lee', first, 'cancel');
    const answer = await again('carol', first.id);
    if (answer.kind !== 'request') throw new Error(answer.kind);
    expect(answer.request).toMatchObject({
      state: 'awaiting approval',
      words: '/box kick db-1',
      requester: { user: 'U0CAROL' },
    });
    expect(answer.request.reason).toBeUndefined();
    expect(answer.request.breakGlass).toBeUndefined();
  });

  it('is judged again, for the person who asks', async () => {
    const first = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', first, 'cancel');
    await expect(again('bob', first.id)).rejects.toThrow('Nothing was done.');
    stage.rules([]);
    await expect(again('alice', first.id)).rejects.toThrow('Nothing was done.');
  });

  it.each(['r-gone', '', '/box kick web-1'])('says that “%s” is no longer kept', async (id) => {
    await expect(again('alice', id)).rejects.toThrow(
      'Bellhop no longer has that request. Type the command again. Nothing was done.',
    );
    const [entry] = await stage.store.audit({ limit: 1 });
    expect(entry).toMatchObject({ event: 'invalid', error: 'bad-input' });
    expect(entry?.operation).toBeUndefined();
  });
});
