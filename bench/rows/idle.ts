import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { startPostgres } from '../../test/postgres.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { type Contender, startContender } from '../measure/contender.ts';
import { production } from '../measure/production.ts';
import { botEnvironment } from '../slack/bot-environment.ts';
import { startSlackStandIn } from '../slack/slack-stand-in.ts';

const settleMs = 5000;
/** Jobs that run every ten seconds run twice. */
const idleMs = 20_000;
/** Of the main thread, in a second. */
const maxSwitches = 40;

/** The CPU and context switches of an idle bot in a second, on either store. */
export const measure: Measure = async () => {
  const [slack, postgres] = [await startSlackStandIn(), await startPostgres()];
  const environments = [botEnvironment(slack), botEnvironment(slack)] as const;
  const [embedded, other] = environments;
  const database = { DATABASE_URL: await postgres.createDatabase() };
  const bots = await Promise.all([start(embedded.variables), start({ ...other.variables, ...database })]);
  const [onSqlite, onPostgres] = bots;
  try {
    await delay(settleMs);
    const [ofSqlite, ofPostgres] = await Promise.all([idleSecond(onSqlite), idleSecond(onPostgres)]);
    return [
      switching('SQLite', ofSqlite.switches),
      switching('PostgreSQL', ofPostgres.switches),
      {
        what: 'an idle second on PostgreSQL',
        ours: ofPostgres.cpuMs,
        beside: 'on SQLite',
        other: ofSqlite.cpuMs,
        unit: 'ms CPU',
        ratio: ofPostgres.cpuMs / ofSqlite.cpuMs,
      },
    ];
  } finally {
    await Promise.all(bots.map((bot) => bot.end()));
    for (const one of environments) one.remove();
    slack.close();
    await postgres.remove();
  }
};

const start = (environment: Readonly<Record<string, string>>) =>
  startContender(production.program, environment, production.nodeOptions);

const switching = (store: string, switches: number): Comparison => ({
  what: `voluntary context switches of the main thread in an idle second, on ${store}`,
  ours: switches,
  beside: 'the aim',
  other: maxSwitches,
  unit: 'a second',
  ratio: switches / maxSwitches,
  aim: { atMost: 1 },
});

async function idleSecond(bot: Contender) {
  const taken = async () => {
    const { user, system } = await bot.usage();
    return { cpuMs: (user + system) / 1000, switches: switchesOf(bot.id), at: performance.now() };
  };
  const before = await taken();
  await delay(idleMs);
  const after = await taken();
  const seconds = (after.at - before.at) / 1000;
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / seconds,
    switches: (after.switches - before.switches) / seconds,
  };
}

/** The voluntary context switches of a process's main thread so far. See proc(5). */
function switchesOf(id: number): number {
  const [, count] =
    /^voluntary_ctxt_switches:\s*(\d+)$/mu.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
  return Number(count);
}
