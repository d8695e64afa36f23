import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startByteRelay } from '../../test/byte-relay.ts';
import { startPostgres } from '../../test/postgres.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { type Committing, startCommitting } from '../measure/committing.ts';
import { production } from '../measure/production.ts';
import { operationsAlone, rulesFor } from '../slack/confirming-people.ts';
import { type SlackAndService, startSlackAndService } from '../slack/slack-and-service.ts';

const settleMs = 4000;
const idleMs = 10_000;

/** The end of a prepared statement in PostgreSQL's protocol. */
const sync = Buffer.from([0x53, 0, 0, 0, 4]);
/** How a statement without parameters begins. */
const query = 0x51;

/** The statements of one person's operation on PostgreSQL, and its write locks of SQLite, without those of an idle bot. */
export const measure: Measure = async () => {
  const postgres = await startPostgres();
  let statements = 0;
  const relay = await startByteRelay(postgres.url, (chunk) => {
    if (chunk[0] === query || chunk.subarray(-sync.length).equals(sync)) statements += 1;
    return false;
  });
  try {
    const database = { DATABASE_URL: relay.urlOf(await postgres.createDatabase()) };
    const [ofPostgres, locks] = await Promise.all([
      ofOperation(database, () => statements),
      ofOperation({}, ({ commits }) => commits.length),
    ]);
    return [
      compared('statements of a lone operation on PostgreSQL', ofPostgres, 'statements', 20),
      compared('write locks of a lone operation on SQLite', locks, 'locks', 9),
    ];
  } finally {
    await relay.close();
    await postgres.remove();
  }
};

/** How much the count of a bot on this store rises with each operation. */
async function ofOperation(
  store: Readonly<Record<string, string>>,
  count: (bot: Committing) => number,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  writeFileSync(join(folder, 'bellhop.yaml'), rulesFor(1));
  const slackAndService = await startSlackAndService(0);
  const environment = {
    DATA_DIR: folder,
    API_BASE_URL: slackAndService.serviceUrl,
    API_KEY: 'bench',
    SLACK_API_URL: slackAndService.apiUrl,
    SLACK_BOT_TOKEN: 'xoxb-bench',
    BELLHOP_CONFIG: join(folder, 'bellhop.yaml'),
    FLUSH_ADDED_MS: '0',
    ...store,
  };
  const bot = await startCommitting(production.program, environment, production.nodeOptions);
  try {
    return await each(slackAndService, bot.port, () => count(bot));
  } finally {
    await bot.end();
    slackAndService.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How much a count rises with each operation, beyond what an idle bot adds meanwhile. */
async function each(slackAndService: SlackAndService, port: number, count: () => number): Promise<number> {
  const work = () => operationsAlone(slackAndService, [`http://127.0.0.1:${port}`]);
  const over = async (during: () => Promise<number>) => {
    const [from, began] = [count(), performance.now()];
    const operations = await during();
    return { operations, rise: count() - from, ms: performance.now() - began };
  };
  await delay(settleMs);
  const idle = await over(() => delay(idleMs, 1));
  const { operations, rise, ms } = await over(work);
  const ofEach = (rise - (idle.rise * ms) / idle.ms) / operations;
  // The share of the idle bot is not known more exactly.
  return Math.round(ofEach * 10) / 10;
}

const compared = (what: string, ours: number, unit: string, aim: number): Comparison => ({
  what,
  ours,
  beside: 'the aim',
  other: aim,
  unit,
  ratio: ours / aim,
  aim: { atMost: 1 },
});
