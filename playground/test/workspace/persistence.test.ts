import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messagesOf, setStage, type Stage } from './stage.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

let dataDir: string;
let stage: Stage;
beforeEach(async () => {
  dataDir = temporaryFolder();
  stage = await setStage({ dataDir });
});
afterEach(() => stage.close());

async function restart(reset = false): Promise<void> {
  await stage.close();
  stage = await setStage({ dataDir, reset });
}

const blocks = [
  {
    type: 'actions',
    block_id: 'b',
    elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }],
  },
];

describe('after a restart', () => {
  it('what was said is still there, and its buttons still work', async () => {
    const { ts } = await stage.api('chat.postMessage', { channel: 'C0OPS', text: 'Reboot?', blocks });
    await restart();
    expect(await messagesOf(stage, 'C0OPS')).toMatchObject([{ ts, text: 'Reboot?', blocks }]);
    const container = { type: 'message', channel: 'C0OPS', ts };
    expect(
      await stage.gesture('action', { container, block_id: 'b', action_id: 'go', value: { type: 'button' } }),
    ).toEqual({ ok: true });
    expect(await stage.api('chat.update', { channel: 'C0OPS', ts, text: 'Done' })).toMatchObject({
      ok: true,
    });
  });

  it('what was ephemeral is gone', async () => {
    await stage.api('chat.postEphemeral', { channel: 'C0OPS', user: 'U0ALICE', text: 'psst' });
    await restart();
    expect(await messagesOf(stage, 'C0OPS')).toEqual([]);
  });

  it('Home views, files and joined channels are still there', async () => {
    const home = { type: 'home', blocks: [{ type: 'divider' }], private_metadata: 'meta' };
    const { view } = await stage.api('views.publish', { user_id: 'U0ALICE', view: home });
    await stage.gesture('upload', { name: 'a.txt', mimetype: 'text/plain', content_base64: 'YQ==' });
    await stage.api('conversations.join', { channel: 'C0INC42' });
    await restart();
    const state = await stage.state();
    expect(state.home).toMatchObject({ id: view?.id, hash: view?.hash, blocks: [{ type: 'divider' }] });
    expect(state.channels.find(({ id }) => id === 'C0INC42')?.bot_is_member).toBe(true);
  });

  it('with reset nothing is', async () => {
    await stage.api('chat.postMessage', { channel: 'C0OPS', text: 'Reboot?', blocks });
    await restart(true);
    expect(await messagesOf(stage, 'C0OPS')).toEqual([]);
  });
});
