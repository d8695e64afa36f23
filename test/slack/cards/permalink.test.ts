import { expect, test } from 'vitest';

import type { MessageRef } from '../../../src/model/values/actor.ts';
import { permalink } from '../../../src/slack/cards/card-sync.ts';
import { silentLog } from '../../log.ts';

const card = { channel: 'C0OPS', ts: '1.2' };
const shownAt = (message: MessageRef | undefined) => ({ findCard: async () => message });
const answering = (link: string) => ({ permalink: () => Promise.resolve(link) });

test('a link is what Slack says of the card', async () => {
  const api = answering('https://team.slack.com/archives/C0OPS/p12');
  expect(await permalink(api, silentLog, { id: 'r-1' }, shownAt(card))).toBe(
    'https://team.slack.com/archives/C0OPS/p12',
  );
});

test('there is none without a card, without an answer, or if the answer is not a URL', async () => {
  const failing = { permalink: () => Promise.reject(new Error('message_not_found')) };
  expect(
    await permalink(answering('https://a.b'), silentLog, { id: 'r-1' }, shownAt(undefined)),
  ).toBeUndefined();
  expect(await permalink(failing, silentLog, { id: 'r-1' }, shownAt(card))).toBeUndefined();
  for (const link of ['javascript:alert(1)', 'https://a.b|c> <!channel>', 'https://a.b) [x](y', ''])
    expect(await permalink(answering(link), silentLog, { id: 'r-1' }, shownAt(card))).toBeUndefined();
});
