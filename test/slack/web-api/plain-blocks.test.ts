import { beforeEach, describe, expect, test } from 'vitest';

import type { Message } from '../../../src/slack/render/blocks.ts';
import { takesModernBlocks, withPlainBlocks } from '../../../src/slack/handle/reply.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { createDrivenClock } from '../../driven-clock.ts';

const modernMessage: Message = {
  text: 't',
  blocks: [
    { type: 'data_visualization', title: 't', chart: { type: 'pie', segments: [{ label: 'a', value: 1 }] } },
  ],
};
const clock = createDrivenClock(1_000_000);
const plainMessage: Message = { text: 't', blocks: [] };
const render = (modern: boolean): Message => (modern ? modernMessage : plainMessage);
const failure = (code: string): SlackError =>
  new SlackError('chat.postMessage', code, { retryable: false, sent: false });

const refuseAll = (): Promise<never> => Promise.reject(failure('invalid_blocks'));

/** A workspace that refuses newer blocks, and the posts that it received. */
function oldWorkspace(code = 'invalid_blocks') {
  const sent: Message[] = [];
  return {
    sent,
    send: (message: Message): Promise<string> => {
      sent.push(message);
      return message === modernMessage ? Promise.reject(failure(code)) : Promise.resolve('sent');
    },
  };
}

describe('newer blocks that are refused', () => {
  // The clock advances, because a rejection is remembered for a day.
  beforeEach(() => clock.advance(2 * 24 * 60 * 60_000));

  test('are sent plain once, and that is remembered', async () => {
    const workspace = oldWorkspace();
    expect(await withPlainBlocks(clock, render, workspace.send)).toBe('sent');
    await withPlainBlocks(clock, render, workspace.send);
    expect(workspace.sent).toEqual([modernMessage, plainMessage, plainMessage]);
    expect(takesModernBlocks(clock.now())).toBe(false);
  });

  test.each(['invalid_attachments', 'invalid_arguments', 'invalid_blocks_format', 'invalid_json'])(
    'are sent plain once for whatever Slack calls it: %s',
    async (code) => {
      const workspace = oldWorkspace(code);
      expect(await withPlainBlocks(clock, render, workspace.send)).toBe('sent');
      expect(workspace.sent).toEqual([modernMessage, plainMessage]);
    },
  );

  test('are tried again after a day', async () => {
    const workspace = oldWorkspace();
    await withPlainBlocks(clock, render, workspace.send);
    await clock.advance(24 * 60 * 60_000 - 1);
    expect(takesModernBlocks(clock.now())).toBe(false);
    await clock.advance(1);
    expect(takesModernBlocks(clock.now())).toBe(true);
  });

  test('are not given up for the workspace where several were in one message', async () => {
    const several: Message = { text: 't', blocks: [...modernMessage.blocks, ...modernMessage.blocks] };
    const sent: Message[] = [];
    const send = (message: Message): Promise<string> => {
      sent.push(message);
      return message === several ? Promise.reject(failure('invalid_blocks')) : Promise.resolve('sent');
    };
    await withPlainBlocks(clock, (modern) => (modern ? several : plainMessage), send);
    expect(sent).toEqual([several, plainMessage]);
    expect(takesModernBlocks(clock.now())).toBe(true);
  });

  test('are not sent again for another reason', async () => {
    const workspace = oldWorkspace('not_in_channel');
    await expect(withPlainBlocks(clock, render, workspace.send)).rejects.toThrow(
      'Bellhop is not in this channel. Type “/invite @Bellhop”.',
    );
    expect([workspace.sent.length, takesModernBlocks(clock.now())]).toEqual([1, true]);
  });

  test('are not to blame where plain ones are refused too', async () => {
    await expect(withPlainBlocks(clock, render, refuseAll)).rejects.toThrow('invalid_blocks');
    expect(takesModernBlocks(clock.now())).toBe(true);
  });

  test('are not to blame if there were none', async () => {
    let tries = 0;
    const send = (): Promise<never> => {
      tries += 1;
      return Promise.reject(failure('invalid_blocks'));
    };
    await expect(withPlainBlocks(clock, () => plainMessage, send)).rejects.toThrow('invalid_blocks');
    expect(tries).toBe(1);
  });
});
