import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startWorkspace, type Workspace } from '../../../playground/workspace/start-workspace.ts';
import { build } from '../../../scripts/build.ts';
import { freePort } from '../../free-port.ts';
import { until } from '../../until.ts';
import { type BotProcess, startProcess } from '../bot-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const folder = temporaryFolder();
const tree = join(folder, 'app');
const cache = join(tree, 'compile-cache');
const dataDir = join(folder, 'data');
const node = join(folder, 'node');
/** The user as which root runs the programs: root could write even without permission. */
const user = process.getuid?.() === 0 ? 65_534 : undefined;

const run = (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<BotProcess> =>
  startProcess(
    { NODE_ENV: 'production', NODE_COMPILE_CACHE: cache, DATA_DIR: dataDir, ...env },
    { cwd: tree, program: join(tree, program), args, node, user },
  );

const rules = 'rules:\n  - { risk: read, roles: [anyone], then: allow }\n';

let workspace: Workspace;

beforeAll(async () => {
  await build(join(tree, 'dist'));
  copyFileSync(join(root, 'package.json'), join(tree, 'package.json'));
  copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
  writeFileSync(join(folder, 'bellhop.yaml'), rules);
  for (const own of [cache, dataDir]) {
    mkdirSync(own);
    if (user !== undefined) chownSync(own, user, user);
  }
  chmodSync(folder, 0o755);
  // As the image does while it is built.
  await (
    await run('dist/start.js', ['--help'])
  ).exited;
  setMode(0o555);
  workspace = await startWorkspace({
    port: 0,
    dataDir: join(folder, 'workspace'),
    appUrl: 'http://127.0.0.1:1/',
    botToken: 'xoxb-built',
    signingSecret: 'secret',
    manifestPath: join(root, 'manifest.json'),
  });
});
afterAll(async () => {
  await workspace.close();
  // Only root removes from folders that may not be written.
  setMode(0o755);
});

const inTree = (path: string): string => join(tree, path);

function setMode(mode: number): void {
  for (const path of [tree, ...readdirSync(tree, { recursive: true, encoding: 'utf8' }).map(inTree)])
    chmodSync(path, mode);
}

describe('the output of npm run build, in a read-only tree', () => {
  it('starts with code that Node compiled beforehand, becomes ready, and does not change the tree', async () => {
    const port = String(await freePort());
    const before = readdirSync(cache, { recursive: true });
    const bot = await run('dist/start.js', [], {
      // Makes Node report whether it uses its compile cache.
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
      PORT: port,
      API_BASE_URL: 'http://127.0.0.1:1/',
      API_KEY: 'key',
      SLACK_BOT_TOKEN: 'xoxb-built',
      SLACK_SIGNING_SECRET: 'secret',
      SLACK_API_URL: `${workspace.url}/api/`,
      BELLHOP_CONFIG: join(folder, 'bellhop.yaml'),
    });
    expect(bot.output()).toMatch(/code cache for ESM \S+\/dist\/chunks\/bot\.js was accepted/u);
    // An imported file would be loaded before the cache is in use, and a Node version that is too old could not read
    // it.
    expect(readFileSync(inTree('dist/start.js'), 'utf8')).not.toMatch(/from\s*["'`]\./u);
    expect(bot.output()).toMatch(/"warm":true,"msg":"compile cache in use"/u);
    // It has no calendar, no PostgreSQL and no Socket Mode.
    const unused = ['calendar-worker.js', 'open-postgres.js', 'socket-mode.js'];
    expect(readdirSync(inTree('dist/chunks'))).toEqual(expect.arrayContaining(unused));
    for (const chunk of unused) expect(bot.output()).not.toContain(`dist/chunks/${chunk}`);
    // The bundle contains the parts of undici that the bot uses, and no mocks.
    const loaded = [...bot.output().matchAll(/ESM \S+\/(dist\/chunks\/\S+\.js) was accepted/gu)];
    const code = loaded.map(([, chunk = '']) => readFileSync(inTree(chunk), 'utf8')).join('');
    expect(code).toContain('EnvHttpProxyAgent');
    expect(code).not.toContain('MockAgent');
    // Node keeps two bytes for each letter of a file with a single letter outside ASCII.
    expect(code).not.toMatch(/[^\0-\x7f]/u);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    // A worker in the built bundle reads this file.
    writeFileSync(join(folder, 'bellhop.yaml'), 'rules:\n  - { risk: raed, roles: [anyone], then: allow }\n');
    await until(
      () => bot.output().includes('bellhop.yaml:2:13: '),
      () => bot.output(),
    );
    writeFileSync(join(folder, 'bellhop.yaml'), rules);
    await until(
      () => bot.output().split('"policy loaded"').length > 2,
      () => bot.output(),
    );
    expect(await bot.end('SIGTERM')).toBe(0);
    expect(readdirSync(cache, { recursive: true })).toEqual(before);
  });

  it.each([
    ['dist/audit.js', ['verify'], /^The audit log is intact: \d+ entries/mu],
    ['dist/config.js', ['check', join(folder, 'bellhop.yaml')], /bellhop\.yaml(?: is good\.|: 0 errors)/u],
    ['dist/store.js', ['--help'], /^Usage: npm run store/u],
  ])('has the program %s', async (program, args, says) => {
    const ran = await run(program, args);
    expect(await ran.exited).toBe(0);
    expect(ran.output().trim()).toMatch(says);
  });
});
