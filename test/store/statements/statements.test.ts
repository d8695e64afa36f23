import { expect, it } from 'vitest';

import { commonPostgres } from '../../common-postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openStore } from '../open-store.ts';
import { type Bot, openBot } from './bot.ts';
import { type Section, statementsPage } from './page.ts';
import { createDrivenDatabase } from './server-clock.ts';
import { type Recorded, recordLocks, recordPostgres } from './recorder.ts';

/** Proposed, looked at for 700 ms, confirmed, succeeded, and both seals. */
async function loneOperation(bot: Bot): Promise<void> {
  await bot.type('reboot web-1');
  await bot.pass(500);
  await bot.pass(200);
  await bot.press('confirm');
  await bot.serviceAnswers();
  await bot.pass(500);
}

/** Proposed, looked at by a lead, approved, succeeded, and both seals. */
async function approval(bot: Bot): Promise<void> {
  await bot.type('reboot db-1');
  await bot.pass(500);
  await bot.pass(200);
  await bot.press('approve', 'U0CAROL');
  await bot.serviceAnswers();
  await bot.pass(500);
}

async function read(bot: Bot): Promise<void> {
  await bot.type('ips');
  await bot.pass(500);
}

const isDone = /: done\b/u;

/** Three targets with 5 s between them, from the command to the last seal. */
async function rollout(bot: Bot): Promise<void> {
  await bot.type('reboot --each tier=web --pause 5s');
  await bot.pass(700);
  await bot.press('confirm');
  for (let rounds = 0; rounds < 60; rounds += 1) {
    await bot.round(1000);
    if (bot.isAsked()) await bot.serviceAnswers();
    if (bot.heard().some(({ text }) => isDone.test(text))) break;
  }
  await bot.pass(500);
}

async function idleMinute(...bots: readonly Bot[]): Promise<void> {
  for (let seconds = 0; seconds < 60; seconds += 1) for (const bot of bots) await bot.pass(1000);
}

/** Statements of one moment may share one, or come in another order, on a busy machine. */
async function mostFrequent<T>(
  bot: Bot,
  work: (bot: Bot) => Promise<void>,
  take: () => T,
  nameOf: (taken: T) => string,
  runs = 15,
): Promise<T> {
  const all: T[] = [];
  // The first time, connections are set up.
  await work(bot);
  for (let run = 0; run < runs; run += 1) {
    // The task of the one before ends in the service.
    await bot.pass(60_000);
    take();
    await work(bot);
    all.push(take());
  }
  const groups = [...Map.groupBy(all, nameOf).values()];
  const [[most] = []] = groups.toSorted((one, other) => other.length - one.length);
  if (most === undefined) throw new Error('nothing was taken');
  return most;
}

const inAnyOrder = (taken: readonly Recorded[]): string =>
  taken
    .map(({ text }) => text)
    .toSorted()
    .join();

it('docs/statements.md has each statement of PostgreSQL', async () => {
  const recorder = recordPostgres();
  const location = { databaseUrl: await commonPostgres.createDatabase() };
  const bot = await openBot({ location, underWay: recorder.underWay });
  const section = async (
    title: string,
    about: string,
    work: (bot: Bot) => Promise<void>,
  ): Promise<Section> => {
    const statements = await mostFrequent(bot, work, recorder.taken, (taken) =>
      taken.map(({ text }) => text).join(),
    );
    expect(bot.log.troubles).toEqual([]);
    return { title, about, statements };
  };
  const counted = async (
    title: string,
    about: string,
    work: (bot: Bot) => Promise<void>,
    of: Bot,
  ): Promise<Section> => {
    const statements = await mostFrequent(of, work, recorder.taken, inAnyOrder, 3);
    expect(of.log.troubles).toEqual([]);
    return { title, about, statements, counted: true };
  };
  const sections = [
    await section(
      'A lone operation',
      'Proposed, looked at for 700 ms, confirmed, succeeded. The entries are sealed twice.',
      loneOperation,
    ),
    await section('An approval', 'The same, approved by someone else.', approval),
    await section('A read', 'A command that changes nothing, and the seal of its entry.', read),
  ];
  const { underWay } = recorder;
  const idle = await openBot({ location: { databaseUrl: await commonPostgres.createDatabase() }, underWay });
  idle.startJobs();
  sections.push(
    await counted('An idle minute', 'The jobs of a replica to which no one says anything.', idleMinute, idle),
  );
  // Without rows, the server has no statistics that would change a plan.
  const empty = { databaseUrl: await commonPostgres.createDatabase() };
  await (await openStore(empty)).close();
  await expect(await statementsPage(empty.databaseUrl, sections)).toMatchFileSnapshot(
    '../../../docs/statements.md',
  );
});

it('a lone operation takes so many write locks of an embedded store', async () => {
  const locks = recordLocks();
  const bot = await openBot({ location: { dataDir: temporaryFolder() }, underWay: () => 0 });
  expect(await mostFrequent(bot, loneOperation, locks, String)).toBe(9);
});

it('two idle replicas take at most 4.5 statements a second', async () => {
  const recorder = recordPostgres();
  const location = { databaseUrl: await commonPostgres.createDatabase() };
  const { underWay } = recorder;
  const [one, other] = [await openBot({ location, underWay }), await openBot({ location, underWay })];
  for (const bot of [one, other]) bot.startJobs();
  await idleMinute(one, other);
  recorder.taken();
  await idleMinute(one, other);
  expect(recorder.taken().length).toBeLessThanOrEqual(4.5 * 60);
});

it('an idle minute takes a write lock of an embedded store every five seconds', async () => {
  const locks = recordLocks();
  const bot = await openBot({ location: { dataDir: temporaryFolder() }, underWay: () => 0 });
  bot.startJobs();
  expect(await mostFrequent(bot, idleMinute, locks, String, 3)).toBe(12);
});

// The targets end at moments of their own, so steps share a transaction or not, and a look finds one end or two.
it('a rollout of three takes at most 250 statements, most of them looks at what is due', async () => {
  const recorder = recordPostgres();
  const server = await createDrivenDatabase();
  const { underWay } = recorder;
  const bot = await openBot({ location: server, server, underWay, extensions: ['instance-read'] });
  await bot.pass(1000);
  recorder.taken();
  await rollout(bot);
  const taken = recorder.taken();
  expect(bot.log.troubles).toEqual([]);
  expect(await bot.requests()).toMatchObject([{}, {}, {}, { state: 'succeeded' }]);
  expect(taken.length).toBeLessThanOrEqual(250);
});
