import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messagesOf, openSlack, type LocalSlack } from './open-slack.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

let dataDir: string;
let slack: LocalSlack;
beforeEach(async () => {
  dataDir = temporaryFolder();
  slack = await openSlack({ dataDir });
});
afterEach(() => slack.close());

async function restart(reset = false): Promise<void> {
  await slack.close();
  slack = await openSlack({ dataDir, reset });
}

const blocks = [
  {
    type: 'actions',
    block_id: 'b',
    elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }],
  },
];

describe('after a restart', () => {
  it('messages are still there, and their buttons still work', async () => {
    const { ts } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'Reboot?', blocks });
    await restart();
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ ts, text: 'Reboot?', blocks }]);
    const container = { type: 'message', channel: 'C0OPS', ts };
    expect(
      await slack.gesture('action', { container, block_id: 'b', action_id: 'go', value: { type: 'button' } }),
    ).toEqual({ ok: true });
    expect(await slack.api('chat.update', { channel: 'C0OPS', ts, text: 'Done' })).toMatchObject({
      ok: true,
    });
  });

  it('ephemeral messages are gone', async () => {
    await slack.api('chat.postEphemeral', { channel: 'C0OPS', user: 'U0ALICE', text: 'psst' });
    await restart();
    expect(await messagesOf(slack, 'C0OPS')).toEqual([]);
  });

  it('Home views, files and joined channels are still there', async () => {
    const home = { type: 'home', blocks: [{ type: 'divider' }], private_metadata: 'meta' };
    const { view } = await slack.api('views.publish', { user_id: 'U0ALICE', view: home });
    await slack.gesture('upload', { name: 'a.txt', mimetype: 'text/plain', content_base64: 'YQ==' });
    await slack.api('conversations.join', { channel: 'C0INC42' });
    await restart();
    const state = await slack.state();
    expect(state.home).toMatchObject({ id: view?.id, hash: view?.hash, blocks: [{ type: 'divider' }] });
    expect(state.channels.find(({ id }) => id === 'C0INC42')?.bot_is_member).toBe(true);
  });

  it('with a reset, nothing is left', async () => {
    await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'Reboot?', blocks });
    await restart(true);
    expect(await messagesOf(slack, 'C0OPS')).toEqual([]);
  });
});
