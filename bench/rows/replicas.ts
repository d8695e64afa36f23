import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { openStore } from '../../src/store/open-store.ts';
import { verifyAudit } from '../../src/store/cli/verify-audit.ts';
import { startPostgres } from '../../test/postgres.ts';
import { createReplicas } from '../../test/program/replicas.ts';
import type { Comparison, Measure } from '../comparison.ts';
import {
  type Confirming,
  type ConfirmingPeople,
  confirmingPeople,
  rulesFor,
} from '../slack/confirming-people.ts';
import { flushDelay } from '../measure/flush.ts';
import { interleave, median } from '../measure/interleave.ts';
import { type SlackAndService, startSlackAndService } from '../slack/slack-and-service.ts';
import { signingSecret } from '../slack/slack-payloads.ts';

const people = 48;

/** How long the service takes to answer a change, and how the table says so. In milliseconds. */
const services = [
  {
    answerMs: 500,
    what: 'a service that takes 500 ms to answer, 16 changes under way at a time at most',
    rounds: 3,
    overMs: 1000,
  },
  { answerMs: 0, what: 'a service that answers at once', rounds: 3, overMs: 500 },
] as const;

/** What the people need to be under way in full, in milliseconds beside the service's own time. */
const leadInMs = 250;

/**
 * Requests that people ask for and confirm, through bots in processes of their own on one PostgreSQL server: from the
 * slash command to the card that says `succeeded`, each payload to the next bot in turn.
 */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  writeFileSync(join(folder, 'bellhop.yaml'), rulesFor(people));
  const flush = flushDelay(folder);
  const postgres = await startPostgres([`commit_delay=${flush.ms * 1000}`, 'commit_siblings=0']);
  const slackAndService = await startSlackAndService(0);
  const databaseUrl = await postgres.createDatabase();
  const bots = await createReplicas(2, () => ({
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    API_BASE_URL: slackAndService.serviceUrl,
    API_KEY: 'bench',
    SLACK_API_URL: slackAndService.apiUrl,
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: signingSecret,
    BELLHOP_CONFIG: join(folder, 'bellhop.yaml'),
    LOG_LEVEL: 'warn',
  }));
  try {
    await Promise.all([bots.start(0), bots.start(1)]);
    const side: Side = {
      crowd: confirmingPeople(people, slackAndService),
      urls: [bots.urlOf(0), bots.urlOf(1)],
    };
    await watch(side.crowd.over(side.urls), leadInMs, 1500);
    const comparisons: Comparison[] = [];
    for (const service of services) {
      slackAndService.answersAfter(service.answerMs);
      comparisons.push(await compare(side, service, flush.note));
    }
    await proveAll(databaseUrl, slackAndService);
    return comparisons;
  } finally {
    await bots.close();
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
  { answerMs, what, rounds, overMs }: (typeof services)[number],
  note: string,
): Promise<Comparison> {
  const [idleUnderOne, idleUnderTwo]: [number[], number[]] = [[], []];
  const under = async (replicas: readonly string[], idle: number[]): Promise<number> => {
    const seen = await watch(crowd.over(replicas), leadInMs + answerMs, overMs);
    idle.push(seen.idle);
    return seen.perSecond;
  };
  const figures = await interleave(
    {
      two: () => under(urls, idleUnderTwo),
      one: () => under(urls.slice(0, 1), idleUnderOne),
      again: () => under(urls.slice(1), idleUnderOne),
    },
    { rounds, warmUps: 0 },
  );
  return {
    what: `two replicas on PostgreSQL, ${what}: confirmed operations (${percent(idleUnderTwo)} of all cores idle${note})`,
    ours: figures.of('two'),
    beside: `one replica (${percent(idleUnderOne)} idle)`,
    other: figures.of('one'),
    unit: 'a second',
    ratio: figures.ratio('two', 'one'),
    aim: { atLeast: 1.6 },
    control: figures.ratio('again', 'one'),
  };
}

const percent = (shares: readonly number[]): string => `${(median(shares) * 100).toFixed(0)} %`;

/** Requests that succeed in a second, and the idle share of all cores, from when all are under way. */
async function watch(confirming: Confirming, leadIn: number, overMs: number) {
  await delay(leadIn);
  const [began, before, spent] = [performance.now(), confirming.succeeded(), times()];
  await delay(overMs);
  const perSecond = ((confirming.succeeded() - before) / (performance.now() - began)) * 1000;
  const idle = idleShare(spent);
  await confirming.end();
  return { perSecond, idle };
}

const times = () => cpus().map(({ times: spent }) => spent);

/** Of all cores, since. */
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

/** As many changes at the service as requests that succeeded, and a record that verifies. */
async function proveAll(databaseUrl: string, slackAndService: SlackAndService): Promise<void> {
  const changes = slackAndService.changes();
  const store = await openStore({ databaseUrl });
  const verdict = await verifyAudit(store);
  const succeeded = await store.list({ states: ['succeeded'], limit: 100_000 });
  await store.close();
  if (!verdict.intact) throw new Error(verdict.why);
  if (succeeded.length !== changes) throw new Error(`${changes} changes for ${succeeded.length} requests`);
}
