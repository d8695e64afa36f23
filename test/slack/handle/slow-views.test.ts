import { afterEach, beforeEach, expect, it } from 'vitest';

import { openAnswer, openCopy } from '../../../src/slack/handle/command-buttons.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import type { Click } from '../../../src/slack/receive/dispatch.ts';
import { callerOf } from '../../core.ts';
import { alice } from '../../people.ts';
import { type BoxStage, openBoxes } from '../../run/sample-boxes.ts';

const view = ({ title, blocks }: { title: { text: string }; blocks: unknown }) =>
  `${title.text}: ${JSON.stringify(blocks)}`;

let boxes: BoxStage;
let shown: string[];
let context: SlackContext;
let answer: (text: string | Error) => void;
beforeEach(async () => {
  boxes = await openBoxes();
  shown = [];
  boxes.service.kick = () =>
    new Promise((resolve, reject) => {
      shown.push('asked');
      answer = (text) => (typeof text === 'string' ? resolve(text) : reject(text));
    });
  const parts = {
    ...boxes.context,
    disclaimers: [],
    inProgress: { run: (_: unknown, work: () => unknown) => work() },
    api: {
      openView: async (_: string, one: never) => (shown.push(`opened ${view(one)}`), 'V1'),
      updateView: async (id: string, _: unknown, one: never) => void shown.push(`${id} ${view(one)}`),
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that views use
  context = parts as unknown as SlackContext;
});
afterEach(() => boxes.close());

const click = (value: string): Click =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that views use
  ({
    action: { value },
    body: { trigger_id: 't' },
    context: { caller: callerOf(alice) },
  }) as unknown as Click;

it.each([
  ['of the Home tab', openAnswer, '/box look web-1', /^V1 A box: .*fine/u],
  ['to copy', openCopy, JSON.stringify({ words: '/box look web-1', page: 0 }), /^$/u],
])('a view %s opens before its read is asked, however long that takes', async (_, open, value, filled) => {
  const done = open(context, click(value));
  await expect.poll(() => shown.length).toBe(2);
  expect(shown).toEqual([expect.stringMatching(/^opened Looking…: /u), 'asked']);
  answer('fine');
  await done;
  expect(shown.slice(2).join()).toMatch(filled);
});

it('a view whose read fails does not look on', async () => {
  const done = openAnswer(context, click('/box look web-1'));
  await expect.poll(() => shown.length).toBe(2);
  answer(new Error('gone'));
  await expect(done).rejects.toThrow('gone');
  expect(shown.slice(2)).toEqual([expect.stringMatching(/^V1 No answer: /u)]);
});
