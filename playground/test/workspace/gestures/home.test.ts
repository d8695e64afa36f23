import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSlack, viewOf, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const plain = (text: string) => ({ type: 'plain_text', text });

describe('the Home tab', () => {
  const home = { type: 'home', blocks: [{ type: 'header', text: plain('Your requests') }] };

  it('is published for a person and shown to no one else', async () => {
    const answer = await slack.api('views.publish', { user_id: 'U0ALICE', view: home });
    expect(answer).toMatchObject({ ok: true, view: { type: 'home' } });
    expect((await slack.state()).home).toMatchObject({ blocks: [{ type: 'header' }] });
    expect((await slack.state('U0BOB')).home).toBeNull();
  });

  it('keeps its id, changes its hash, and refuses an old one', async () => {
    const first = await slack.api('views.publish', { user_id: 'U0ALICE', view: home });
    const second = await slack.api('views.publish', {
      user_id: 'U0ALICE',
      hash: viewOf(first).hash,
      view: home,
    });
    expect(viewOf(second).id).toBe(viewOf(first).id);
    expect(
      await slack.api('views.publish', { user_id: 'U0ALICE', hash: viewOf(first).hash, view: home }),
    ).toMatchObject({ ok: false, error: 'hash_conflict' });
  });

  it.each(['U0NOBODY', 'U0SARA'])('is refused for %s', async (user_id) => {
    expect(await slack.api('views.publish', { user_id, view: home })).toMatchObject({
      ok: false,
      error: 'user_not_found',
    });
  });
});
