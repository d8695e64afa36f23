import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { botProgram, buildTree } from '../built-bot.ts';
import { setStage, type Stage } from '../program/stage.ts';
import { runNode } from '../run-node.ts';
import { featureTests } from '../features/index.ts';
import { freePort } from '../free-port.ts';
import { exampleRulebook } from '../program/rulebook-text.ts';
import { alice, bob, carol, incident, liveThroughADay, rollOut, suggestTwice } from './day.ts';
import { plain } from './reword.ts';
import { rewording } from './rewording.ts';
import { openStore } from '../store/open-store.ts';

const limiting = `
limits: [{ operations: [cloud.stop], at_most: 1, per: target, within: 1h }]
guard: [{ labels: { tier: web }, keep: 2, approvers: [leads] }]
freeze: [{ labels: { tier: db }, from: 2026-01-01T00:00:00Z, to: 2036-01-01T00:00:00Z, except: [responders], reason: a holiday }]
`;

/** Text that differs in each run and has nothing to do with the decisions. */
const passing = [
  [/"block_id":"b\w+"/gu, '"block_id":"(of Slack)"'],
  [/(?<=\\n|\b)(?:r-[a-z0-9]{9,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/gu, '(id)'],
  // Links, hashes and signatures.
  [/(?<![\w+/-])[\w+/-]{43,}={0,2}/gu, '(random)'],
  [/(?<=\\n|\b)[0-9a-f]{12,}\b|\d+/gu, '0'],
  [/less than (?=0 s)/gu, ''],
  [/ in 0 s(?= ·)/gu, ''],
] as const;

const steady = (value: unknown): unknown => {
  let text = plain(JSON.stringify(value));
  for (const [pattern, instead] of passing) text = text.replaceAll(pattern, instead);
  return JSON.parse(text);
};

/** The output of the programs for bellhop.yaml and the audit log about the day. */
async function printed({ env, dataDir }: Stage, tree?: string): Promise<unknown> {
  const rules = env['BELLHOP_CONFIG'] ?? '';
  const next = join(dataDir, 'next.yaml');
  const tests = join(dataDir, 'tests.yaml');
  writeFileSync(next, readFileSync(rules, 'utf8').replace('roles: [responders, leads]', 'roles: [leads]'));
  writeFileSync(tests, '- { as: U0ALICE, in: C0OPS, run: /cloud reboot db-1, expect: confirm }\n');
  const runs = [
    ['config', 'check', rules],
    ['config', 'diff', rules, next],
    ['config', 'test', rules, tests],
    ['audit', 'verify'],
    ['audit', 'export', '--format', 'csv'],
  ] as const;
  return Promise.all(
    runs.map(async ([program, ...args]) => {
      const { code, out, err } = await runNode([botProgram(program, tree), ...args], dataDir, env);
      return [code, out.replaceAll(dataDir, ''), err.replaceAll(dataDir, '')];
    }),
  );
}

interface Day {
  readonly entries: readonly unknown[];
  readonly requests: readonly unknown[];
  readonly messages: unknown;
  /** The answers to agents, browsers and the programs for operators. */
  readonly elsewhere: unknown;
  /** Whether the bot spoke as we write it. */
  readonly isPlain: boolean;
}

/** The same day with the present bot, or with the bot that is built in `tree`: its decisions, records and texts. */
async function dayOf(tree?: string): Promise<Day> {
  const port = await freePort();
  const days = await Promise.all(featureTests.flatMap(({ day }) => day?.(`http://127.0.0.1:${port}`) ?? []));
  const stage = await setStage({
    port,
    rulebook: days.reduce((text, { rules }) => rules(text), exampleRulebook({}) + limiting),
    env: Object.assign({}, ...days.map(({ env }) => env)) as Readonly<Record<string, string>>,
    beside: days.map(({ beside }) => beside),
    livelyService: true,
    program: botProgram('start', tree),
  });
  onTestFinished(() => stage.close());
  await liveThroughADay(stage);
  const pages = [];
  for (const { live } of days) pages.push(await live(stage));
  await stage.advance(120_000);
  const agent = await suggestTwice(stage);
  await rollOut(stage);
  const messages = await Promise.all(
    [alice, bob, carol].flatMap((as) =>
      ['C0OPS', incident].map(async (channel) =>
        (await stage.messages(as, channel))
          // A notice that is no longer needed when its time comes is not sent: some are, by chance.
          .filter(({ ts, thread_ts: thread = ts }) => thread === ts)
          .map(({ text, blocks }) => ({ text, blocks })),
      ),
    ),
  );
  await stage.bot.end('SIGTERM');
  const store = await openStore({ dataDir: join(stage.dataDir, 'bot') });
  onTestFinished(() => store.close());
  const entries = await store.auditFrom(0, 1000);
  const requests = await store.list({ limit: 100 });
  const said = JSON.stringify(messages);
  const programs = await printed(stage, tree);
  return {
    entries: entries.map(steady),
    requests: requests.map(steady),
    messages: steady(messages),
    elsewhere: steady([agent, pages, programs]),
    isPlain: said === plain(said),
  };
}

/** In milliseconds. The rollout waits for its targets. */
const timeout = 300_000;

it('decides, records and says the same when every text reads otherwise', { timeout }, async () => {
  const { tree, remove } = await buildTree([rewording]);
  onTestFinished(remove);
  const [asItIs, reworded] = await Promise.all([dayOf(), dayOf(tree)]);
  expect([asItIs.isPlain, reworded.isPlain]).toEqual([true, false]);
  expect(asItIs.entries.length).toBeGreaterThan(40);
  expect(reworded.entries).toEqual(asItIs.entries);
  expect(reworded.requests).toEqual(asItIs.requests);
  expect(reworded.messages).toEqual(asItIs.messages);
  expect(reworded.elsewhere).toEqual(asItIs.elsewhere);
});
