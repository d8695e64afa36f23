import { describe, expect, test } from 'vitest';

import type { Message } from '../../src/slack/blocks.ts';
import { takesModernBlocks, withPlainBlocks } from '../../src/slack/plain-blocks.ts';
import { SlackError } from '../../src/slack/slack-error.ts';

const modernMessage: Message = {
  text: 't',
  blocks: [
    { type: 'data_visualization', title: 't', chart: { type: 'pie', segments: [{ label: 'a', value: 1 }] } },
  ],
};
const plainMessage: Message = { text: 't', blocks: [] };
const render = (modern: boolean): Message => (modern ? modernMessage : plainMessage);
const failure = (code: string): SlackError =>
  new SlackError('chat.postMessage', code, { retryable: false, sent: false });

const refuseAll = (): Promise<never> => Promise.reject(failure('invalid_blocks'));

/** A workspace that refuses newer blocks, and what it was sent. */
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
  test('are sent plain once, and that is remembered for the workspace alone', async () => {
    const workspace = oldWorkspace();
    expect(await withPlainBlocks('T0OLD', render, workspace.send)).toBe('sent');
    await withPlainBlocks('T0OLD', render, workspace.send);
    expect(workspace.sent).toEqual([modernMessage, plainMessage, plainMessage]);
    expect([takesModernBlocks('T0OLD'), takesModernBlocks('T0NEW')]).toEqual([false, true]);
  });

  test('are not sent again for another reason', async () => {
    const workspace = oldWorkspace('not_in_channel');
    await expect(withPlainBlocks('T1', render, workspace.send)).rejects.toThrow('type `/invite @Bellhop`');
    expect([workspace.sent.length, takesModernBlocks('T1')]).toEqual([1, true]);
  });

  test('are not to blame where plain ones are refused too', async () => {
    await expect(withPlainBlocks('T2', render, refuseAll)).rejects.toThrow('invalid_blocks');
    expect(takesModernBlocks('T2')).toBe(true);
  });

  test('are not to blame where there were none', async () => {
    let tries = 0;
    const send = (): Promise<never> => {
      tries += 1;
      return Promise.reject(failure('invalid_blocks'));
    };
    await expect(withPlainBlocks('T3', () => plainMessage, send)).rejects.toThrow('invalid_blocks');
    expect(tries).toBe(1);
  });
});
