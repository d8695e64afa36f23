import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { commonPostgres } from '../common-postgres.ts';
import { freePort } from '../free-port.ts';
import { startProblems, startProcess } from '../program/bot-process.ts';
import { setStage } from '../program/stage.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';

/** A bot that is all local but for what `env` names. */
async function place(env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'bellhop.yaml'), 'project: 1\nregion: 76\n');
  return {
    DATA_DIR: dataDir,
    BELLHOP_CONFIG: join(dataDir, 'bellhop.yaml'),
    PORT: '0',
    LOCAL_PORT: String(await freePort()),
    LOCAL_SERVICE_PORT: '0',
    LOG_LEVEL: 'warn',
    ...env,
  };
}

const waits = /cannot start yet; trying again/u;
const slack = { API_BASE_URL: 'local', SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'secret' };

it('a start waits for PostgreSQL, and uses it once it accepts connections', async () => {
  const url = new URL(await commonPostgres.createDatabase());
  const port = await freePort();
  const behind = Object.assign(new URL(url), { port: String(port) });
  const bot = await startProcess(await place({ DATABASE_URL: behind.href }), { until: waits });
  expect(bot.child.exitCode).toBeNull();
  const front = createServer((socket) => {
    const server = connect(Number(url.port), url.hostname);
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to);
  });
  await once(front.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => void front.close());
  await until(() => bot.output().includes('Bellhop is ready'));
  expect(await bot.end('SIGTERM')).toBe(0);
});

it('a start waits for Slack, and uses it once it answers', async () => {
  let refusals = 2;
  const unavailable = { status: 503, headers: {}, body: Buffer.from('') };
  const stage = await setStage({
    toSlack: (_, forward) => {
      refusals -= 1;
      return refusals < 0 ? forward() : Promise.resolve(unavailable);
    },
  });
  onTestFinished(() => stage.close());
  expect(stage.bot.output()).toMatch(waits);
});

it.each([
  ['a name that does not resolve yet', { DATABASE_URL: 'postgres://me:hunter2@postgres.invalid/bellhop' }],
  ['a port where no one listens yet', { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/bellhop' }],
  ['a Slack that cannot be reached', { ...slack, SLACK_API_URL: 'http://127.0.0.1:1/api/' }],
  ['a name of Slack that does not resolve yet', { ...slack, SLACK_API_URL: 'http://slack.invalid/api/' }],
  [
    'a proxy that does not listen yet',
    { ...slack, SLACK_API_URL: 'https://slack.invalid/api/', HTTPS_PROXY: 'http://127.0.0.1:1' },
  ],
])('SIGTERM stops a start that waits for %s, with exit code 0', async (_, env) => {
  const bot = await startProcess(await place(env), { until: waits });
  expect(bot.child.exitCode).toBeNull();
  expect(await bot.end('SIGTERM')).toBe(0);
  expect(bot.output()).toContain('Bellhop stopped.');
  expect(bot.output()).not.toMatch(/hunter2|cannot start\.|took too long/u);
});

it('a setting that is wrong still ends the start', async () => {
  const url = new URL(await commonPostgres.createDatabase());
  url.pathname = '/not-there';
  const bot = await startProcess(await place({ DATABASE_URL: url.href }));
  expect(await bot.exited).toBe(1);
  expect(startProblems(bot)[1]).toContain('The database in DATABASE_URL does not exist');
});

it.each(['stderr', 'stdout'] as const)(
  'continues without its log after the reader of %s has gone, as after `systemctl restart` of a log shipper',
  async (stream) => {
    const env = await place({ PORT: String(await freePort()), LOG_LEVEL: 'trace' });
    const bot = await startProcess(env);
    const rules = async (): Promise<string> => {
      const metrics = await fetch(`http://127.0.0.1:${env['PORT']}/metrics`);
      return /^bellhop_rules_in_force_since_seconds\{.*$/mu.exec(await metrics.text())?.[0] ?? '';
    };
    const before = await rules();
    bot.child[stream]?.destroy();
    writeFileSync(env['BELLHOP_CONFIG'] ?? '', 'project: 2\nregion: 76\n');
    await until(async () => (await rules()) !== before);
    expect((await fetch(`http://127.0.0.1:${env['PORT']}/readyz`)).status).toBe(200);
    expect(await bot.end('SIGTERM')).toBe(0);
  },
);
