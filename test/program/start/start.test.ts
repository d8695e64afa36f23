import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { freePort } from '../../free-port.ts';
import { startProblems, startProcess, type BotProcess } from '../bot-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const folder = temporaryFolder();

const linesOf = (process: BotProcess): readonly string[] => process.output().trimEnd().split('\n');

/** Free ports for a program that is all local, in an empty folder. */
async function localPlace(dataDir = 'data'): Promise<Record<'PORT' | 'LOCAL_PORT' | 'DATA_DIR', string>> {
  const [bot, page] = [await freePort(), await freePort()];
  return { PORT: String(bot), LOCAL_PORT: String(page), DATA_DIR: join(folder, dataDir) };
}
const anyPort = { LOCAL_SERVICE_PORT: '0', LOG_LEVEL: 'warn' };

const listens = (port: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

describe('a start with nothing set', () => {
  it('of the source is all local: says so, names the page in the last line, and the page answers', async () => {
    const place = await localPlace();
    const program = join(import.meta.dirname, '../../../src/start.js');
    const bot = await startProcess({ ...place, ...anyPort }, { program });
    expect(linesOf(bot)).toEqual([
      'Bellhop is ready. Slack and the service are simulated: nothing real is touched. Stop with Ctrl-C.',
      `Open http://127.0.0.1:${place.LOCAL_PORT}`,
    ]);
    const page = await fetch(`http://127.0.0.1:${place.LOCAL_PORT}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Bellhop')]);
    expect((await fetch(`http://127.0.0.1:${place.PORT}/readyz`)).status).toBe(200);
    expect(await bot.end('SIGINT')).toBe(0);
  });
});

const preload = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

/** Turns `watchFile` off. Otherwise a changed file is read even if SIGHUP does nothing. */
const watchesNothing = preload(`import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  fs.watchFile = () => undefined;
  syncBuiltinESMExports();`);

/** Sends SIGHUP as soon as the program's own code runs, while most of the program is not loaded yet. */
const hangsUpEarly = preload(`import module from 'node:module';
  const { enableCompileCache } = module;
  module.enableCompileCache = (folder) => {
    process.kill(process.pid, 'SIGHUP');
    return enableCompileCache(folder);
  };`);

it('a SIGHUP before the rules are read does not stop the start', async () => {
  const nodeOptions = ['--import', hangsUpEarly];
  const bot = await startProcess({ ...(await localPlace('hung up')), ...anyPort }, { nodeOptions });
  expect(bot.output()).toContain('Bellhop is ready.');
  expect(await bot.end('SIGTERM')).toBe(0);
});

describe('a bot that runs', () => {
  const rules = join(folder, 'changed.yaml');
  let bot: BotProcess;
  beforeAll(async () => {
    writeFileSync(rules, 'project: 1\nregion: 76\n');
    const env = {
      ...(await localPlace('shared')),
      ...anyPort,
      LOG_LEVEL: 'info',
      BELLHOP_CONFIG: rules,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    };
    bot = await startProcess(env, { nodeOptions: ['--import', watchesNothing] });
  });
  afterAll(() => bot.end('SIGKILL'));

  it('has its data directory for itself', async () => {
    const second = await startProcess({ ...(await localPlace('shared')), ...anyPort });
    expect(await second.exited).toBe(1);
    expect(startProblems(second)).toEqual(['Bellhop cannot start.', expect.stringMatching(/shared/u)]);
    expect(second.output()).toMatch(/another|second|already/iu);
  });

  it('writes to the log what is probably a mistake in the first file', async () => {
    await expect.poll(() => bot.output()).toContain('warning: rules: has no rules');
  });

  it('reads a changed file on SIGHUP', async () => {
    const loads = () => bot.output().split('policy loaded').length - 1;
    const before = loads();
    writeFileSync(rules, 'project: 2\nregion: 76\n');
    bot.child.kill('SIGHUP');
    await expect.poll(loads).toBe(before + 1);
  });

  it('has said in the log that it keeps what Node compiles where NODE_COMPILE_CACHE names a folder', () => {
    expect(bot.output()).toMatch(
      /"directory":"[^"]*cache[^"]*","warm":(?:true|false),"msg":"compile cache in use"/u,
    );
  });

  it('ends with 0 on SIGTERM', async () => {
    expect(await bot.end('SIGTERM')).toBe(0);
  });
});

it('the log says that there is no cache of compiled sources if Node’s cache is disabled', async () => {
  const env = { NODE_DISABLE_COMPILE_CACHE: '1', LOG_LEVEL: 'info' };
  const bot = await startProcess({ ...(await localPlace('without cache')), ...anyPort, ...env });
  expect(bot.output()).toMatch(/"msg":"no compile cache, so starts take longer; set NODE_COMPILE_CACHE/u);
  expect(await bot.end('SIGTERM')).toBe(0);
});

describe('a start that is refused', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, readonly RegExp[]])[] = [
    [
      'half a configuration, with a line for each thing that is missing',
      { API_KEY: 'key' },
      [
        /^SLACK_BOT_TOKEN is missing\. Set /u,
        /^SLACK_SIGNING_SECRET is missing\. Set /u,
        /^API_BASE_URL is missing\. Set /u,
        /^bellhop\.yaml is missing in /u,
      ],
    ],
    [
      'a mistake in bellhop.yaml, with file, line and column',
      { BELLHOP_CONFIG: 'broken.yaml' },
      [/^broken\.yaml:3:\d+: .*requsts.*did you mean.*requests/iu],
    ],
    [
      'a certificate that is not there, without a stack',
      { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/bellhop?sslmode=verify-full&sslrootcert=/gone.pem' },
      [/^A certificate file in DATABASE_URL can't be read \(ENOENT\): .*change sslrootcert/u],
    ],
    [
      'a data directory where the system lets none be',
      { DATA_DIR: '/proc/bellhop' },
      [/^The data directory \/proc\/bellhop cannot be created \(ENOENT\): set DATA_DIR to one/u],
    ],
  ];
  writeFileSync(join(folder, 'broken.yaml'), 'project: 1\nregion: 76\nrequsts: { lease: 60s }\n');
  writeFileSync(join(folder, 'fine.yaml'), 'project: 1\nregion: 76\n');

  it.each(cases)('names %s', async (_, env, expected) => {
    const place = await localPlace('refused');
    const bot = await startProcess({ ...place, ...anyPort, ...env }, { cwd: folder });
    expect(await bot.exited).toBe(1);
    const [first, ...problems] = startProblems(bot);
    expect(first).toBe('Bellhop cannot start.');
    expect(problems.map((line, number) => [line, expected[number]?.test(line)])).toEqual(
      problems.map((line) => [line, true]),
    );
    expect(problems.length).toBe(expected.length);
    expect([await listens(place.PORT), await listens(place.LOCAL_PORT)]).toEqual([false, false]);
  });

  it.each(['PORT', 'LOCAL_PORT', 'LOCAL_SERVICE_PORT'])(
    'a port that another program has: %s',
    async (setting) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = z.object({ port: z.number() }).parse(taken.address());
      const place = await localPlace('taken');
      const bot = await startProcess({ ...place, ...anyPort, [setting]: String(port) });
      expect(await bot.exited).toBe(1);
      expect(startProblems(bot)).toEqual([
        'Bellhop cannot start.',
        `${setting}: another program is using port ${port} on 127.0.0.1. Stop it (another Bellhop?), or set ${setting} to a free port.`,
      ]);
      taken.close();
    },
  );

  it('an old Node, in one line that says how to get another', async () => {
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });
      Object.defineProperty(process, 'version', { value: 'v20.19.0' });`;
    const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];
    const bot = await startProcess({ DATA_DIR: join(folder, 'old') }, { nodeOptions });
    expect(await bot.exited).toBe(1);
    expect(JSON.parse(bot.output())).toMatchObject({
      level: 'error',
      msg: 'Bellhop needs Node 24 or newer and found v20.19.0: run "npm ci", which brings Node 26, then "npm start"; or install it from https://nodejs.org.',
    });
  });
});
