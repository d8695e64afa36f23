import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Boxes, openBoxes, type Who } from './boxes.ts';
import { askerOf } from './stage.ts';
import { people } from './who-may.ts';

let stage: Boxes;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const again = (who: Who, id: string) => stage.executor.askAgain(askerOf(people[who]), id);

describe('asking again', () => {
  it('makes a new request of the same, with its reason', async () => {
    const first = await stage.ask('alice', '/box kick web-1 --reason "it hangs"');
    await stage.press('alice', first, 'cancel');
    const answer = await again('lee', first.id);
    expect(answer).toMatchObject({
      kind: 'request',
      request: { state: 'proposed', words: first.words, reason: 'it hangs', requester: { user: 'U0LEE' } },
    });
    expect(answer.kind === 'request' && answer.request.id).not.toBe(first.id);
    expect((await stage.find(first)).state).toBe('cancelled');
    expect(stage.service.kicks).toEqual([]);
  });

  it('is judged anew, for whoever asks', async () => {
    const first = await stage.ask('alice', '/box kick web-1');
    await stage.press('alice', first, 'cancel');
    await expect(again('bob', first.id)).rejects.toThrow('Nothing was done.');
    stage.rules([]);
    await expect(again('alice', first.id)).rejects.toThrow('Nothing was done.');
  });

  it.each(['r-gone', '', '/box kick web-1'])('says that “%s” is no longer kept', async (id) => {
    await expect(again('alice', id)).rejects.toThrow('no longer kept: type it anew. Nothing was done.');
    expect((await stage.store.audit({ limit: 1 }))[0]).toMatchObject({
      event: 'invalid',
      operation: 'ask again',
    });
  });
});
