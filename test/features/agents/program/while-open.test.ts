import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';
import { buttonsOf, type Stage, setStage } from '../../../program/stage.ts';
import {
  agentOf,
  exportedLog,
  incidents,
  withAgents,
  statusOf,
  suggest,
  suggestionFor,
  suggestionsIn,
  textOf,
} from '../../../program/agents.ts';
import { connect2026 } from '../../../program/mcp-clients.ts';

const secretsFolder = temporaryFolder();
const token = (text: string): void => writeFileSync(join(secretsFolder, 'rotating'), text);

let stage: Stage;
beforeAll(async () => {
  token('token-of-yesterday');
  const env = { LOG_LEVEL: 'info', BELLHOP_SECRET_ROTATING: '', BELLHOP_SECRETS_DIR: secretsFolder };
  stage = await setStage(withAgents({ holmes: {}, watson: {}, rotating: {} }, env));
});
afterAll(() => stage.close());

const loaded = (): number => stage.bot.output().match(/"policy loaded"/gu)?.length ?? 0;

/** Puts other rules in force until the test ends. */
async function reload(change: (rulebook: string) => string): Promise<() => Promise<void>> {
  const file = stage.env['BELLHOP_CONFIG'] ?? '';
  const before = readFileSync(file, 'utf8');
  const write = async (text: string): Promise<void> => {
    const count = loaded();
    writeFileSync(file, text);
    await until(() => loaded() > count);
  };
  const changed = change(before);
  if (changed === before)
    throw new Error('examples/bellhop.example.yaml reads differently now: fit the change to it');
  await write(changed);
  return () => write(before);
}

const toldPrivately = (who: string, text: RegExp) =>
  stage.seen(who, (message) => message.ephemeral && text.test(message.text), incidents);

const deniedToAll = (rulebook: string): string =>
  rulebook.replace(/^rules:\n/mu, 'rules:\n  - { name: not today, operations: [cloud.stop], then: deny }\n');

it('a rule that denies it in the meantime holds for who presses; the suggestion stays, and can be pressed once it is allowed', async () => {
  const agent = await agentOf(stage, 'holmes');
  const { id } = await suggest(agent, '/cloud stop web-1');
  const message = await suggestionFor(stage, '/cloud stop web-1');
  const back = await reload(deniedToAll);
  await stage.press('U0ALICE', message, 'Stop web-1…');
  await toldPrivately('U0ALICE', /not today/u);
  expect((await statusOf(agent, id)).state).toBe('waiting for a person');
  await back();
  await stage.press('U0ALICE', message, 'Stop web-1…');
  await until(async () => (await statusOf(agent, id)).state === 'proposed');
  expect(await stage.calls('stopInstance')).toBe(0);
});

it('an agent that is taken out of bellhop.yaml is heard no more; its open suggestion does nothing, and can be dismissed', async () => {
  const agent = await agentOf(stage, 'watson');
  const { id } = await suggest(agent, '/cloud reboot web-2');
  const message = await suggestionFor(stage, '/cloud reboot web-2');
  const back = await reload((rulebook) =>
    rulebook.replace(/^ {2}watson:.*\n/mu, '').replace('holmes, watson, rotating', 'holmes, rotating'),
  );
  await expect(agent.call('request_status', { id })).rejects.toThrow(/401|token|unauthorized/iu);
  await stage.press('U0ALICE', message, 'Reboot web-2…');
  await toldPrivately('U0ALICE', /no longer available.*Nothing was done/u);
  expect(await stage.calls('rebootInstance')).toBe(0);
  await stage.press('U0ALICE', message, 'Dismiss');
  const dismissed = await stage.seen('U0ALICE', ({ text }) => text.startsWith('Dismissed:'), incidents);
  expect([dismissed.ts, buttonsOf(dismissed)]).toEqual([message.ts, []]);
  await back();
  expect((await statusOf(agent, id)).state).toBe('dismissed');
  const entries = (await exportedLog(stage)).filter(({ suggestion }) => suggestion?.id === id);
  expect(entries.map(({ event, actor }) => `${event} ${actor?.user}`)).toEqual([
    'suggested agent:watson',
    'dismissed U0ALICE',
  ]);
});

const connect = async (shown: string) => {
  const client = await connect2026(stage.botUrl, shown);
  onTestFinished(() => client.close());
  return client;
};

it('a token that is rotated in the meantime is of the same agent: the same suggestion, and the old token follows nothing', async () => {
  const before = await connect('token-of-yesterday');
  const { id } = await suggest(before, '/cdn purge 1001 /a.css');
  token('token-of-tomorrow');
  const after = await until(() => connect('token-of-tomorrow').catch(() => undefined));
  expect((await suggest(after, '/cdn purge 1001 /a.css')).id).toBe(id);
  expect((await statusOf(after, id)).state).toBe('waiting for a person');
  await expect(before.call('request_status', { id })).rejects.toThrow(/401|token|unauthorized/iu);
});

it('two agents that suggest changes of one target at once: one message, and the other agent learns of it without its id', async () => {
  const [holmes, watson] = [await agentOf(stage, 'holmes'), await agentOf(stage, 'watson')];
  const reason = 'both see it';
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => [
      holmes.call('suggest_change', { command: '/cloud reboot db-1', reason }),
      watson.call('suggest_change', { command: '/cloud stop db-1', reason }),
    ]).flat(),
  );
  const of = (failed: boolean) => answers.filter(({ isError = false }) => isError === failed);
  const ids = new Set(of(false).map(({ structuredContent }) => structuredContent?.['id']));
  expect([of(false).length, ids.size]).toEqual([5, 1]);
  for (const refused of of(true).map(textOf)) {
    expect(refused).toMatch(/db-1 already has an open suggestion.*of another agent.*Try again at 20/u);
    expect(refused).not.toContain([...ids].join(''));
  }
  expect((await suggestionsIn(stage)).filter(({ text }) => text.includes('db-1'))).toHaveLength(1);
});
