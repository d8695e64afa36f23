import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';
import { z } from 'zod';

import { startPostgres } from '../../test/postgres.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { type Contender, startContender } from '../measure/contender.ts';
import { production } from '../measure/production.ts';
import {
  confirmingPeople,
  type ConfirmingPeople,
  lookMs,
  operationsAlone,
  rulesFor,
} from '../slack/confirming-people.ts';
import { startSlackAndService } from '../slack/slack-and-service.ts';

const people = 48;
/** How long the idle CPU is measured, once the work of the load is done. */
const settleMs = 4000;
const idleMs = 8000;
const loadMs = 6000;

/** CPU, kernel time included, in milliseconds. */
interface Spent {
  readonly bot: number;
  readonly postgres: number;
}

/**
 * CPU of a whole confirmed operation, from the command to the sealed entries, in the bot and in all processes of its PostgreSQL
 * server: for one person, and for many at once. The CPU of the idle programs is subtracted.
 */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  writeFileSync(join(folder, 'bellhop.yaml'), rulesFor(people));
  const postgres = await startPostgres();
  const slackAndService = await startSlackAndService(0);
  const databaseUrl = await postgres.createDatabase();
  const bot = await startContender(
    production.program,
    {
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, 'data'),
      API_BASE_URL: slackAndService.serviceUrl,
      API_KEY: 'bench',
      SLACK_API_URL: slackAndService.apiUrl,
      SLACK_BOT_TOKEN: 'xoxb-bench',
      BELLHOP_CONFIG: join(folder, 'bellhop.yaml'),
    },
    production.nodeOptions,
  );
  try {
    const server = await serverOf(databaseUrl);
    const urls = [`http://127.0.0.1:${bot.port}`];
    const many = () => underLoad(confirmingPeople(people, slackAndService), urls);
    const alone = () => operationsAlone(slackAndService, urls);
    await many();
    await delay(settleMs);
    const idle = await spentOver(bot, server, () => delay(idleMs, 1));
    const each = async (work: () => Promise<number>): Promise<Spent> => {
      const { operations, ms, spent } = await spentOver(bot, server, work);
      const share = ms / idle.ms;
      return {
        bot: (spent.bot - idle.spent.bot * share) / operations,
        postgres: (spent.postgres - idle.spent.postgres * share) / operations,
      };
    };
    const [lone, loaded] = [await each(alone), await each(many)];
    return (['bot', 'postgres'] as const).map((where): Comparison => {
      const name = where === 'bot' ? 'in the bot' : 'in PostgreSQL';
      return {
        what: `a confirmed operation ${name}, one person at a time`,
        ours: lone[where],
        beside: `of ${people} people at once`,
        other: loaded[where],
        unit: 'ms CPU',
        ratio: lone[where] / loaded[where],
      };
    });
  } finally {
    await bot.end();
    slackAndService.close();
    await postgres.remove();
    rmSync(folder, { recursive: true });
  }
};

/** Resolves to how many operations succeeded, their last entries sealed and cards shown. */
async function underLoad(crowd: ConfirmingPeople, urls: readonly string[]): Promise<number> {
  const confirming = crowd.over(urls);
  await delay(loadMs);
  await confirming.end();
  await delay(lookMs);
  return confirming.succeeded();
}

/** @param work resolves to the number of operations */
async function spentOver(bot: Contender, server: number, work: () => Promise<number>) {
  const before = await spentBy(bot, server);
  const began = performance.now();
  const operations = await work();
  const ms = performance.now() - began;
  const after = await spentBy(bot, server);
  const spent: Spent = { bot: after.bot - before.bot, postgres: after.postgres - before.postgres };
  return { operations, ms, spent };
}

async function spentBy(bot: Contender, server: number): Promise<Spent> {
  const { user, system } = await bot.usage();
  const own = statOf(server);
  const children = readdirSync('/proc').map(statOf);
  const running = children.filter((child) => child?.parent === server);
  const ticks = running.reduce(
    (sum, child) => sum + (child?.ticks ?? 0),
    (own?.ticks ?? 0) + (own?.ended ?? 0),
  );
  return { bot: (user + system) / 1000, postgres: ticks * tickMs };
}

/** Linux's clock ticks per second, on all common machines. */
const tickMs = 10;

/** A process: its parent, its CPU and the CPU of its finished children, in ticks. See proc(5). */
function statOf(id: number | string) {
  let text: string;
  try {
    text = readFileSync(`/proc/${id}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const field = (number: number): number => fields[number - 3] ?? 0;
  return { parent: field(4), ticks: field(14) + field(15), ended: field(16) + field(17) };
}

/** The process id of the server, found from that of one of its connections. */
async function serverOf(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as id');
  const [{ id }] = z.tuple([z.object({ id: z.number() })]).parse(rows);
  const parent = statOf(id)?.parent;
  await client.end();
  if (parent === undefined) throw new Error('the CPU of PostgreSQL can be measured only on Linux');
  return parent;
}
