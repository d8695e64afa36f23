import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { request } from 'undici';

import type { StoreLocation } from '../../src/store/open-store.ts';
import { alertmanagerBody } from '../../test/alertmanager-body.ts';
import { type Contender, startContender } from '../measure/contender.ts';
import { median } from '../measure/interleave.ts';
import { openLoop, percentile } from '../measure/open-loop.ts';
import { production } from '../measure/production.ts';
import { signedClick, signedCommand } from '../slack/slack-payloads.ts';
import { type SlackAndService, startSlackAndService } from '../slack/slack-and-service.ts';
import { overgrown, type Sizes, tableSizes } from './table-sizes.ts';
import {
  alertsAMinute,
  hook,
  hookSecret,
  instanceName,
  personName,
  type Team,
  writeRulebook,
} from './team.ts';
import { openStore } from '../../test/store/open-store.ts';
import { declaredKinds } from '../../test/due/declared-kinds.ts';

/** A store, and the data folder of its bot: rules, audit key, and the embedded store. */
export interface Place {
  readonly folder: string;
  readonly location: StoreLocation;
}

/** By name of the measurement. */
export type Figures = ReadonlyMap<string, number>;

export interface Measured {
  readonly figures: Figures;
  /** Of the jobs of each second. */
  readonly sweeps: Figures;
  readonly sizes: Sizes;
  /** Unexpected findings, a sentence each. */
  readonly faults: readonly string[];
}

/** How long the bot gets to seal its last entries before it is stopped and the rows are counted. */
const sealedWithinMs = 2000;

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** How many measurements are made. */
const counts = { starts: 3, acks: 200, cards: 30, pages: 20, sweeps: 20 } as const;
const acksASecond = 20;
const idleMs = 5_000;

/** Measures the bot from outside, as production runs it, on an existing store, while 50 alerts a minute arrive. */
export async function measureTeam(
  { folder, location }: Place,
  team: Team,
  say: (line: string) => void,
): Promise<Measured> {
  const figures = new Map<string, number>();
  const sweeps = await sweepTimes(location);
  const slack = await startSlackAndService(0);
  const environment = {
    ...variablesOf({ folder, location }),
    BELLHOP_CONFIG: writeRulebook(folder, team),
    BELLHOP_SECRET_HOOK: hookSecret,
    API_BASE_URL: slack.serviceUrl,
    API_KEY: 'bench',
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: 'xoxb-bench',
  };
  const start = () => startContender(production.program, environment, production.nodeOptions);
  const starts: number[] = [];
  let bot: Contender | undefined;
  try {
    for (let turn = 0; turn < counts.starts; turn += 1) {
      await bot?.end();
      const began = performance.now();
      bot = await start();
      await bot.send(helpFor(slack));
      starts.push(performance.now() - began);
    }
    if (!bot) throw new Error('no bot');
    figures.set('start, to the first ack, ms', median(starts));
    say('  started');
    for (const [what, figure] of await measureBot(bot, team, slack)) figures.set(what, figure);
    await delay(sealedWithinMs);
  } finally {
    await bot?.end();
    slack.close();
  }
  say('  asked and clicked');
  const sizes = await tableSizes(location);
  figures.set('disk, MB', sizes.bytes / 1e6);
  const began = performance.now();
  await run(process.execPath, [join(root, 'dist/audit.js'), 'verify'], {
    env: { PATH: process.env['PATH'], ...variablesOf({ folder, location }) },
  });
  figures.set('`audit verify`, s', (performance.now() - began) / 1000);
  say('  verified');
  return { figures, sweeps, sizes, faults: overgrown(sizes) };
}

/** Which store a program of the bot uses. */
const variablesOf = ({ folder, location }: Place): Readonly<Record<string, string>> => ({
  DATA_DIR: 'dataDir' in location ? location.dataDir : join(folder, 'data'),
  ...('databaseUrl' in location && { DATABASE_URL: location.databaseUrl }),
});

const helpFor = ({ responseUrl }: SlackAndService) =>
  signedCommand({ command: '/bellhop', text: 'help', responseUrl });

/** The queries that the jobs of each second make, if they find no work. */
async function sweepTimes(location: StoreLocation): Promise<Figures> {
  const store = await openStore(location);
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    'claim of due work, ms': () =>
      store.claimDue(new Map(declaredKinds.map((kind) => [kind, 20])), Date.now(), 1),
    'count of open requests, ms': () => store.tally(Date.now()),
    'clean-up with nothing to remove, ms': () => store.removeSettled(0, 100),
  };
  const figures = new Map<string, number>();
  for (const [what, ask] of Object.entries(asked)) {
    const times: number[] = [];
    for (let turn = 0; turn < counts.sweeps; turn += 1) times.push(await timeOf(ask));
    figures.set(what, median(times));
  }
  await store.close();
  return figures;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function measureBot(bot: Contender, team: Team, slack: SlackAndService): Promise<Figures> {
  const figures = new Map<string, number>();
  const memory = async (): Promise<number> => (await bot.usage()).rss / 1e6;
  const before = await bot.usage();
  await delay(idleMs);
  const after = await bot.usage();
  const spent = after.user + after.system - before.user - before.system;
  figures.set('jobs of an idle bot, ms CPU a second', spent / idleMs);
  figures.set('memory, idle, MB', await memory());
  const alerts = sendAlerts(bot, team);
  const answers = slack.answers() + counts.acks;
  const acks = await openLoop(bot, { aSecond: acksASecond, count: counts.acks }, () => helpFor(slack));
  figures.set('ack, p50, ms', percentile(acks, 0.5));
  figures.set('ack, p99, ms', percentile(acks, 0.99));
  while (slack.answers() < answers) await delay(10);
  const cards = await confirmSome(bot, slack);
  figures.set('command to its card, p50, ms', median(cards.map(({ toCard }) => toCard)));
  figures.set('click to the card with the outcome, p50, ms', median(cards.map(({ toEnd }) => toEnd)));
  for (const text of ['audit', 'audit --last 30d --target web-7', 'requests']) {
    figures.set(`\`/bellhop ${text}\`, p50, ms`, await pageTime(bot, slack, text));
  }
  const { times, aMinute } = await alerts.end();
  figures.set('an alert accepted, p50, ms', percentile(times, 0.5));
  figures.set('alerts a minute meanwhile', aMinute);
  figures.set('memory after that, MB', await memory());
  return figures;
}

/** Reboots one instance after the other, each by a different person. */
async function confirmSome(bot: Contender, slack: SlackAndService) {
  const times: { readonly toCard: number; readonly toEnd: number }[] = [];
  const { responseUrl } = slack;
  for (let number = 0; number < counts.cards; number += 1) {
    const [name, user] = [instanceName(number), personName(number % 20)];
    const asked = performance.now();
    const proposed = slack.card(name, 'proposed').then((card) => ({ ...card, at: performance.now() }));
    await bot.send(
      signedCommand({ command: '/cloud', text: `reboot ${name} --reason x`, user, responseUrl }),
    );
    const card = await proposed;
    const clicked = performance.now();
    const succeeded = slack.card(name, 'succeeded', card.ts).then(() => performance.now());
    await bot.send(signedClick({ ...card, user, responseUrl }));
    times.push({ toCard: card.at - asked, toEnd: (await succeeded) - clicked });
  }
  return times;
}

/** From a command to its answer, the median. */
async function pageTime(bot: Contender, slack: SlackAndService, text: string): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < counts.pages; number += 1) {
    const user = personName(number % 20);
    const answered = slack.answer();
    const asked = signedCommand({ command: '/bellhop', text, user, responseUrl: slack.responseUrl });
    times.push(
      await timeOf(async () => {
        await bot.send(asked);
        await answered;
      }),
    );
  }
  return median(times);
}

/** Posts alerts at a fixed rate until it is stopped, then returns how long each took to be accepted, in milliseconds. */
function sendAlerts({ port }: Contender, { instances }: Team) {
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  const began = performance.now();
  let number = 0;
  const send = async (): Promise<void> => {
    number += 1;
    const from = performance.now();
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/hooks/${hook}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hookSecret}`, 'content-type': 'application/json' },
      body: alertmanagerBody([
        { instance: instanceName((number * 7) % instances), alertname: `Disk${number}` },
      ]),
    });
    await body.dump();
    if (statusCode >= 300) throw new Error(`an alert got the status ${statusCode}`);
    times.push(performance.now() - from);
  };
  sent.push(send());
  const timer = setInterval(() => sent.push(send()), 60_000 / alertsAMinute);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(sent);
      return { times, aMinute: (times.length / (performance.now() - began)) * 60_000 };
    },
  };
}
