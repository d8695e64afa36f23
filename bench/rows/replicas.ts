import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { verifyAudit } from '../../src/audit/verify/verify-audit.ts';
import { startPostgres } from '../../test/postgres.ts';
import type { Comparison, Measure } from '../comparison.ts';
import {
  type Confirming,
  type ConfirmingPeople,
  confirmingPeople,
  rulesFor,
} from '../slack/confirming-people.ts';
import { startContender } from '../measure/contender.ts';
import { flushDelay } from '../measure/flush.ts';
import { interleave, median } from '../measure/interleave.ts';
import { production } from '../measure/production.ts';
import { type SlackAndService, startSlackAndService } from '../slack/slack-and-service.ts';
import { openStore } from '../../test/store/open-store.ts';

const people = 48;

/** How long the service takes to answer a change, in milliseconds, and its text in the table. */
const services = [
  {
    answerMs: 500,
    what: 'a service that takes 500 ms to answer, at most 16 changes at a time',
  },
  { answerMs: 0, what: 'a service that answers at once' },
] as const;

/** Requests before the measurement, until all people are active, and the measured ones. */
const leadIn = people / 2;
const counted = people;

/**
 * Requests that people type and confirm, through several bots on one PostgreSQL server: from the slash command to the card that
 * says `succeeded`. Each payload goes to the next bot in turn.
 */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  writeFileSync(join(folder, 'bellhop.yaml'), rulesFor(people));
  const flush = flushDelay(folder);
  const postgres = await startPostgres([`commit_delay=${flush.ms * 1000}`, 'commit_siblings=0']);
  const slackAndService = await startSlackAndService(0);
  const databaseUrl = await postgres.createDatabase();
  const environment = {
    DATABASE_URL: databaseUrl,
    API_BASE_URL: slackAndService.serviceUrl,
    API_KEY: 'bench',
    SLACK_API_URL: slackAndService.apiUrl,
    SLACK_BOT_TOKEN: 'xoxb-bench',
    BELLHOP_CONFIG: join(folder, 'bellhop.yaml'),
  };
  const start = (name: string) =>
    startContender(
      production.program,
      { ...environment, DATA_DIR: join(folder, name) },
      production.nodeOptions,
    );
  const bots = await Promise.all([start('one'), start('two')]);
  try {
    const side: Side = {
      crowd: confirmingPeople(people, slackAndService),
      urls: bots.map(({ port }) => `http://127.0.0.1:${port}`),
    };
    await watch(side.crowd.over(side.urls));
    const comparisons: Comparison[] = [];
    for (const service of services) {
      slackAndService.answersAfter(service.answerMs);
      comparisons.push(await compare(side, service, flush.note));
    }
    await proveAll(databaseUrl, slackAndService);
    return comparisons;
  } finally {
    await Promise.all(bots.map((bot) => bot.end()));
    slackAndService.close();
    await postgres.remove();
    rmSync(folder, { recursive: true });
  }
};

interface Side {
  readonly crowd: ConfirmingPeople;
  readonly urls: readonly string[];
}

async function compare(
  { crowd, urls }: Side,
  { what }: (typeof services)[number],
  note: string | undefined,
): Promise<Comparison> {
  const [idleUnderOne, idleUnderTwo]: [number[], number[]] = [[], []];
  const under = async (replicas: readonly string[], idle: number[]): Promise<number> => {
    const seen = await watch(crowd.over(replicas));
    idle.push(seen.idle);
    return seen.perSecond;
  };
  const figures = await interleave(
    {
      two: () => under(urls, idleUnderTwo),
      one: () => under(urls.slice(0, 1), idleUnderOne),
      again: () => under(urls.slice(1), idleUnderOne),
    },
    { rounds: 3, warmUps: 0 },
  );
  return {
    what: `two replicas on PostgreSQL, ${what}: confirmed operations`,
    note: [`cores ${percent(idleUnderTwo)} idle, ${percent(idleUnderOne)} with one replica`, note]
      .filter(Boolean)
      .join('; '),
    ours: figures.of('two'),
    beside: 'one replica',
    other: figures.of('one'),
    unit: 'a second',
    ratio: figures.ratio('two', 'one'),
    aim: { atLeast: 1.6 },
    control: figures.ratio('again', 'one'),
  };
}

const percent = (shares: readonly number[]): string => `${(median(shares) * 100).toFixed(0)} %`;

/** Requests that succeed per second, and the idle share of all cores, once all people are active. */
async function watch(confirming: Confirming) {
  const reach = async (count: number): Promise<void> => {
    while (confirming.succeeded() < count) await delay(2);
  };
  await reach(leadIn);
  const [began, before, spent] = [performance.now(), confirming.succeeded(), times()];
  await reach(before + counted);
  const perSecond = ((confirming.succeeded() - before) / (performance.now() - began)) * 1000;
  const idle = idleShare(spent);
  await confirming.end();
  return { perSecond, idle };
}

const times = () => cpus().map(({ times: spent }) => spent);

/** The idle share of all cores since then. */
function idleShare(since: ReturnType<typeof times>): number {
  let [idle, all] = [0, 0];
  for (const [core, spent] of times().entries()) {
    const before = since[core] ?? spent;
    idle += spent.idle - before.idle;
    all +=
      Object.values(spent).reduce((sum, ms) => sum + ms, 0) -
      Object.values(before).reduce((sum, ms) => sum + ms, 0);
  }
  return idle / all;
}

/** Checks that the service received as many changes as requests succeeded, and that the audit log verifies. */
async function proveAll(databaseUrl: string, slackAndService: SlackAndService): Promise<void> {
  const changes = slackAndService.changes();
  const store = await openStore({ databaseUrl });
  const verdict = await verifyAudit(store);
  const succeeded = await store.list({ states: ['succeeded'], limit: 100_000 });
  await store.close();
  if (!verdict.intact) throw new Error(verdict.why);
  if (succeeded.length !== changes) throw new Error(`${changes} changes for ${succeeded.length} requests`);
}
