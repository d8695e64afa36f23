import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Message, setStage, type Stage } from '../program/stage.ts';
import { type Ran, runNode } from '../run-node.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const folder = temporaryFolder();
let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const file = (name: string, payload: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof payload === 'string' ? payload : JSON.stringify(payload));
  return path;
};

/** Runs the script next to the bot, with only the settings of the bot that it needs. */
const replay = (
  args: readonly string[],
  { PORT, SLACK_SIGNING_SECRET }: Readonly<Record<string, string>> = stage.env,
): Promise<Ran> =>
  runNode([join(root, 'scripts/replay.ts'), ...args], folder, { PORT, SLACK_SIGNING_SECRET });

const command = {
  command: '/cloud',
  text: 'reboot web-1',
  team_id: 'T0LOCAL',
  user_id: 'U0ALICE',
  channel_id: 'C0OPS',
  trigger_id: '1.2.3',
  response_url: 'https://hooks.slack.com/commands/T0LOCAL/1/a',
};
const aboutWeb1 = ({ text }: Message): boolean => text.includes('web-1') && text.includes('proposed');
const aboutWeb2 = ({ text }: Message): boolean => text.includes('web-2') && text.includes('proposed');

it('a replay has a recorded command worked on, as if Slack had sent it', async () => {
  expect(await replay([file('command.json', command)])).toEqual({ code: 0, out: '200\n', err: '' });
  await stage.seen('U0ALICE', aboutWeb1);
});

it('a replay is a redelivery with the same ids, and another command with fresh ones', async () => {
  const path = file('command.json', { ...command, text: 'stop web-2', trigger_id: '4.5.6' });
  await replay([path]);
  const first = await stage.seen('U0ALICE', aboutWeb2);
  await replay([path]);
  await replay([path, '--fresh']);
  await stage.seen('U0ALICE', (message) => aboutWeb2(message) && message.ts !== first.ts);
  const cards = (await stage.messages('U0ALICE')).filter(({ text }) => text.includes('web-2'));
  expect(cards).toHaveLength(2);
});

it('prints the answer to Slack’s URL verification', async () => {
  const path = file('check.json', { type: 'url_verification', challenge: 'c1' });
  expect(await replay([path])).toMatchObject({ out: '200 {"challenge":"c1"}\n' });
});

it('a replay reports a mistake in its arguments in one line', async () => {
  const good = file('good.json', command);
  const cases: readonly [args: readonly string[], env: Readonly<Record<string, string>>, text: string][] = [
    [[], stage.env, 'Name one file'],
    [['nowhere.json'], stage.env, 'nowhere.json cannot be read.'],
    [[file('bad.json', '{')], stage.env, 'is not a payload in JSON.'],
    [[file('other.json', {})], stage.env, 'is not a Slack payload'],
    [[good, '--url', 'here'], stage.env, '--url takes an address'],
    [[good], { PORT: stage.env['PORT'] ?? '' }, 'SLACK_SIGNING_SECRET is missing'],
    [[good], { PORT: '1', SLACK_SIGNING_SECRET: 's' }, 'did not answer: is Bellhop running there'],
  ];
  for (const [args, env, text] of cases) {
    const { code, out, err } = await replay(args, env);
    expect({ failed: code > 0, out }).toEqual({ failed: true, out: '' });
    expect(err).toContain(text);
    expect(err).toMatch(/^[^\n]+\n$/u);
  }
  const wrong = await replay([good], { ...stage.env, SLACK_SIGNING_SECRET: 'wrong' });
  expect(wrong).toEqual({ code: 1, out: '401 Not signed by Slack\n', err: '' });
});
