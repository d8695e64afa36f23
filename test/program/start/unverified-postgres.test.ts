import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { startProblems } from '../bot-process.ts';
import { setStage } from '../stage.ts';
import { commonPostgres } from '../../common-postgres.ts';

/** Another name of this machine, which looks like another machine. */
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = (await commonPostgres.createDatabase()).replace('@127.0.0.1:', '@0.0.0.0:');
});

const production = async (env: Readonly<Record<string, string>>) => {
  const stage = await setStage({ env: { NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env } });
  onTestFinished(() => stage.close());
  return stage;
};

it('a PostgreSQL that proves nothing is refused in production, without its password', async () => {
  const { bot } = await production({ DATABASE_URL: databaseUrl });
  expect(await bot.exited).toBe(1);
  expect(startProblems(bot)).toEqual([
    'Bellhop cannot start.',
    expect.stringMatching(/^DATABASE_URL has no sslmode=verify-full, .*DATABASE_TLS=off\.$/u),
  ]);
  expect(bot.output()).not.toContain('not-a-secret');
});

it('DATABASE_TLS=off lets it be used, with a warning at each start', async () => {
  const stage = await production({ DATABASE_URL: databaseUrl, DATABASE_TLS: 'off' });
  const warning =
    /"level":"warn"[^\n]*"msg":"DATABASE_URL has no sslmode=verify-full and DATABASE_TLS is off, so /u;
  expect(stage.bot.output()).toMatch(warning);
  expect((await fetch(`${stage.botUrl}/readyz`)).status).toBe(200);
  await stage.bot.end('SIGTERM');
  await stage.restart();
  expect(stage.bot.output()).toMatch(warning);
});

it('outside production it is used, with the same warning', async () => {
  const stage = await setStage({ env: { LOG_LEVEL: 'warn', DATABASE_URL: databaseUrl } });
  onTestFinished(() => stage.close());
  expect(stage.bot.output()).toMatch(
    /"level":"warn"[^\n]*"msg":"DATABASE_URL has no sslmode=verify-full, so /u,
  );
});
