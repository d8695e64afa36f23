import { expect, it } from 'vitest';

import { commonPostgres } from '../../common-postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type Bot, openBot } from './bot.ts';
import { type Section, statementsPage } from './page.ts';
import { recordLocks, recordPostgres } from './recorder.ts';

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

const runs = 15;

/** Statements of one moment may share one, or come in another order, on a busy machine. */
async function mostFrequent<T>(
  bot: Bot,
  work: (bot: Bot) => Promise<void>,
  take: () => T,
  nameOf: (taken: T) => string,
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

it('docs/statements.md has each statement of PostgreSQL', async () => {
  const recorder = recordPostgres();
  const databaseUrl = await commonPostgres.createDatabase();
  const location = { databaseUrl };
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
  const sections = [
    await section(
      'A lone operation',
      'Proposed, looked at for 700 ms, confirmed, succeeded. The entries are sealed twice.',
      loneOperation,
    ),
    await section('An approval', 'The same, approved by someone else.', approval),
    await section('A read', 'A command that changes nothing, and the seal of its entry.', read),
  ];
  await expect(await statementsPage(databaseUrl, sections)).toMatchFileSnapshot(
    '../../../docs/statements.md',
  );
});

it('a lone operation takes so many write locks of an embedded store', async () => {
  const locks = recordLocks();
  const bot = await openBot({ location: { dataDir: temporaryFolder() }, underWay: () => 0 });
  expect(await mostFrequent(bot, loneOperation, locks, String)).toBe(9);
});
