import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Pool } from 'undici';

import { startLocalService } from '../../playground/service/start-local-service.ts';
import { defaultInventory, seededProject } from '../../playground/service/state/inventory.ts';
import { alertmanagerBody } from '../../test/alertmanager-body.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { type Contender, sendOver, startContender } from '../measure/contender.ts';
import { interleaveProcesses, type Starts } from '../measure/fleet.ts';
import type { Figures } from '../measure/interleave.ts';
import { openLoop, percentile } from '../measure/open-loop.ts';
import { production } from '../measure/production.ts';
import { botEnvironment } from '../slack/bot-environment.ts';
import { signedClick, signedCommand, type SignedPayload } from '../slack/slack-payloads.ts';
import { type SlackStandIn, startSlackStandIn, takeAction } from '../slack/slack-stand-in.ts';

/** Alerts of a flood, and how many are sent at once, how often. */
const flood = 2_500;
const atOnce = 10;
const everyMs = 16;
const pace = { aSecond: 25, count: 100 };
/** Each flood goes to a hook of its own, because a hook remembers what it has shown. */
const rounds = 5;
/** After this time, what a flood leaves to post has been posted. */
const settleMs = 500;
const warmUp = 300;
const apiKey = 'bench';
const token = 'token-of-alertmanager';

const hookOf = (number: number): string => `alertmanager-${number}`;
const hooks = Array.from({ length: rounds }, (_, number) => hookOf(number));
const instances = Object.entries(defaultInventory.instances);
const reads = `reads: ['/cloud ips', '/cloud show {target}']`;
const yamlWith = (facts: boolean): string => `
  - { risk: read, hooks: [${hooks.join(', ')}], operations: [cloud.*], then: allow }
extensions: [instance-read]
project: ${seededProject}
region: 76
instances:
${instances.map(([name, { id, project, region }]) => `  ${name}: { id: ${id}, project: ${project}, region: ${region} }`).join('\n')}
hooks:
${hooks.map((hook) => `  ${hook}: { secret: secret:hook, channel: C0OPS, kind: alertmanager${facts ? `, ${reads}` : ''} }`).join('\n')}
`;

const delivery = (round: number, alertname: string, instance: string): SignedPayload => ({
  path: `/hooks/${hookOf(round)}`,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: alertmanagerBody([{ alertname, instance, severity: 'warning' }]),
});
/** About the instances, so that each has a message of its own, and can be owned. */
const ownable = (round: number) => instances.map(([name]) => delivery(round, 'Disk', name));

/** How long an answer takes while alerts arrive whose facts are read and some of which have owners, against the same alerts without both. */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  const slack = await startSlackStandIn();
  const service = await startLocalService({ port: 0, dataDir: folder, apiKey, inventory: defaultInventory });
  const more = { API_BASE_URL: service.url, API_KEY: apiKey, BELLHOP_SECRET_HOOK: token };
  const bots = ['plain', 'plain again', 'facts'].map((name) => ({
    name,
    bot: botEnvironment(slack, { yaml: yamlWith(name === 'facts'), files: {} }),
  }));
  const starts: Starts = Object.fromEntries(
    bots.map(({ name, bot: { variables } }) => [
      name,
      () => startContender(production.program, { ...variables, ...more }, production.nodeOptions),
    ]),
  );
  try {
    return [
      compared(await interleaveProcesses(starts, { generations: 1, rounds, warmUps: 0 }, floodsOn(slack))),
    ];
  } finally {
    slack.close();
    await service.close();
    for (const { bot } of bots) bot.remove();
    rmSync(folder, { recursive: true });
  }
};

const compared = (figures: Figures): Comparison => ({
  what: `answer to a command while ${flood.toLocaleString('en')} alerts arrive, facts of some read and some owned, p50`,
  ours: figures.of('facts'),
  beside: 'the same alerts without facts and owners',
  other: figures.of('plain'),
  unit: 'ms',
  ratio: figures.ratio('facts', 'plain'),
  aim: { atMost: 1.1 },
  control: figures.ratio('plain again', 'plain'),
  felt: true,
});

/** @returns how long the answers take during one flood, p50 */
function floodsOn(slack: SlackStandIn): (bot: Contender, name: string) => Promise<number> {
  const sent = new Map<string, number>();
  let asked = 0;
  const command = (): SignedPayload =>
    signedCommand({ command: '/bellhop', text: 'help', responseUrl: `${slack.responseUrl}?${(asked += 1)}` });
  const answering = (bot: Contender): Contender => ({
    ...bot,
    async send(payload) {
      const url = new URLSearchParams(payload.body).get('response_url') ?? '';
      await Promise.all([bot.send(payload), slack.answer(new URL(url).search.slice(1))]);
    },
  });
  return async (bot, name) => {
    const round = sent.get(name) ?? 0;
    sent.set(name, round + 1);
    if (round === 0) await Promise.all(Array.from({ length: warmUp }, () => answering(bot).send(command())));
    const known = slack.groups().length;
    for (const one of ownable(round)) await bot.send(one);
    while (slack.groups().length < known + instances.length) await delay(5);
    if (name === 'facts') await own(bot, slack, slack.groups().slice(known));
    const [took] = await Promise.all([openLoop(answering(bot), pace, command), floodOver(bot, round)]);
    await delay(settleMs);
    return percentile(took, 0.5);
  };
}

/** Someone presses *I'm on it* under each. */
async function own(bot: Contender, slack: SlackStandIn, groups: readonly string[]): Promise<void> {
  const { responseUrl } = slack;
  const answers = slack.answers() + groups.length;
  for (const request of groups) {
    const press = { action: takeAction, request, ts: '2.1', text: '', user: 'U0NOBODY', responseUrl };
    await bot.send(signedClick(press));
  }
  while (slack.answers() < answers) await delay(5);
}

async function floodOver({ port }: Contender, round: number): Promise<void> {
  const others = Array.from({ length: flood - instances.length }, (_, number) =>
    delivery(round, `Disk${number % 50}`, `db-${number}.prod:9100`),
  );
  const bodies = [...ownable(round), ...others];
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 50 });
  const answers: Promise<void>[] = [];
  while (bodies.length > 0) {
    answers.push(...bodies.splice(0, atOnce).map((one) => sendOver(pool, one)));
    await delay(everyMs);
  }
  await Promise.all(answers);
  await pool.close();
}
