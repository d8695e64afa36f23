import { expect, it } from 'vitest';

import { commonPostgres } from '../../common-postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import type { Extension } from '../../../src/model/rulebook/rulebook.ts';
import { openStore } from '../open-store.ts';
import { type Bot, openBot } from './bot.ts';
import { type Section, statementsPage } from './page.ts';
import { createDrivenDatabase } from './server-clock.ts';
import { type Recorder, recordLocks, recordPostgres } from './recorder.ts';

/** A request that is proposed, looked at for 700 ms, confirmed and successful, with both seals. */
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

/** On a busy machine, two writes at the same time may or may not share a lock. */
async function mostFrequent(
  bot: Bot,
  work: (bot: Bot) => Promise<void>,
  take: () => number,
  runs = 15,
): Promise<number> {
  const all: number[] = [];
  // The first time, connections are set up.
  await work(bot);
  for (let run = 0; run < runs; run += 1) {
    // In the service, the task of the operation before ends.
    await bot.pass(60_000);
    take();
    await work(bot);
    all.push(take());
  }
  const groups = [...Map.groupBy(all, (taken) => taken).values()];
  const [[most] = []] = groups.toSorted((one, other) => other.length - one.length);
  if (most === undefined) throw new Error('nothing was taken');
  return most;
}

/** A bot with a database of its own that does one thing at a time, so its statements are always the same. */
async function openSteadyBot(recorder: Recorder, extensions: readonly Extension[] = []): Promise<Bot> {
  const server = await createDrivenDatabase();
  const { underWay } = recorder;
  const bot = await openBot({ location: server, server, underWay, extensions });
  recorder.askInTurn(bot.askInTurn());
  return bot;
}

it('docs/statements.md has each statement of PostgreSQL', async () => {
  const recorder = recordPostgres();
  const bot = await openSteadyBot(recorder);
  const taken = async (of: Bot, work: (bot: Bot) => Promise<void>) => {
    // In the service, the task of the operation before ends.
    await of.pass(60_000);
    recorder.taken();
    const began = of.clock.now();
    await work(of);
    expect(of.log.troubles).toEqual([]);
    return { statements: recorder.taken(), seconds: (of.clock.now() - began) / 1000 };
  };
  const section = async (
    title: string,
    about: (seconds: number) => string,
    work: (bot: Bot) => Promise<void>,
    { of = bot, counted = false } = {},
  ): Promise<Section> => {
    // The first time, connections are set up.
    await work(of);
    const { statements, seconds } = await taken(of, work);
    expect((await taken(of, work)).statements.map(({ text }) => text)).toEqual(
      statements.map(({ text }) => text),
    );
    return { title, about: about(seconds), statements, counted };
  };
  const sections = [
    await section(
      'A lone operation',
      () => 'Proposed, looked at for 700 ms, confirmed, succeeded. The entries are sealed twice.',
      loneOperation,
    ),
    await section('An approval', () => 'The same, approved by someone else.', approval),
    await section(
      'A rollout of three',
      (seconds) =>
        `Three targets with a pause of 5 s between them, in ${seconds} s of the clock of the test, with a look at what is due in each second. The last statements seal its end.`,
      rollout,
      { of: await openSteadyBot(recorder, ['instance-read']), counted: true },
    ),
    await section('A read', () => 'A command that changes nothing, and the seal of its entry.', read),
  ];
  const idle = await openSteadyBot(recorder);
  idle.startJobs();
  sections.push(
    await section(
      'An idle minute',
      () => 'The jobs of a replica to which no one says anything.',
      idleMinute,
      { of: idle, counted: true },
    ),
  );
  // Without rows, the server has no statistics that would change a plan.
  const empty = { databaseUrl: await commonPostgres.createDatabase() };
  await (await openStore(empty)).close();
  await expect(await statementsPage(empty.databaseUrl, sections)).toMatchFileSnapshot(
    '../../../docs/statements.md',
  );
});

it('a lone operation takes a known number of write locks of an embedded store', async () => {
  const locks = recordLocks();
  const bot = await openBot({ location: { dataDir: temporaryFolder() }, underWay: () => 0 });
  expect(await mostFrequent(bot, loneOperation, locks)).toBe(9);
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
  expect(await mostFrequent(bot, idleMinute, locks, 3)).toBe(12);
});
