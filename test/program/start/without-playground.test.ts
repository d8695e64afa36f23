import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { build } from '../../../scripts/build.ts';
import { freePort } from '../../free-port.ts';
import { startProblems, startProcess } from '../bot-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const folder = temporaryFolder();

const lockFile = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), optional: z.boolean().optional() })),
});

/** The output of `npm run build`, next to package.json: all that the image has. */
async function installImage(): Promise<string> {
  const tree = join(folder, 'image');
  await build(join(tree, 'dist'));
  for (const path of ['package.json', 'examples/bellhop.example.yaml'])
    cpSync(join(root, path), join(tree, path));
  return tree;
}

/** The same in a checkout with the packages of `npm ci --omit=dev --omit=optional`. */
function installInCheckout(image: string): string {
  const tree = join(folder, 'checkout');
  cpSync(image, tree, { recursive: true });
  for (const path of ['src', 'playground', 'manifest.json'])
    cpSync(join(root, path), join(tree, path), { recursive: true });
  const { packages } = lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  for (const [path, { dev, optional }] of Object.entries(packages)) {
    const topLevel = path.lastIndexOf('node_modules/') === 0;
    if (!topLevel || dev === true || optional === true || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    symlinkSync(join(root, path), join(tree, path));
  }
  return tree;
}

const how =
  'The playground, which stands in for Slack and the service, is not installed: run "npm ci" in a checkout';

describe('a start that needs the playground, if it is not installed', async () => {
  const image = await installImage();
  const checkout = installInCheckout(image);
  const real = { API_BASE_URL: 'http://127.0.0.1:1/', API_KEY: 'key' };

  it.each([
    ['all local', image, {}, 'API_BASE_URL, API_KEY, SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET'],
    [
      'a local Slack',
      image,
      { ...real, SLACK_BOT_TOKEN: 'local', BELLHOP_CONFIG: join(root, 'examples/bellhop.example.yaml') },
      'SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET',
    ],
    [
      'a local service, its packages missing',
      checkout,
      { API_BASE_URL: 'local', SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'secret' },
      'API_BASE_URL, API_KEY',
    ],
  ])('says in one line how to get it or which variables to set: %s', async (name, tree, env, variables) => {
    const bot = await startProcess(
      { PORT: String(await freePort()), DATA_DIR: join(folder, 'data', name), LOG_LEVEL: 'warn', ...env },
      { cwd: tree, program: join(tree, 'dist/start.js') },
    );
    expect(await bot.exited).toBe(1);
    expect(startProblems(bot)).toEqual([
      'Bellhop cannot start.',
      `${how} of the repository, or set ${variables}.`,
    ]);
  });

  it.each(['service', 'workspace'])('npm run %s says it in one line too', async (name) => {
    const bot = await startProcess(
      {},
      { cwd: checkout, program: join(checkout, `playground/${name}/main.ts`) },
    );
    expect(await bot.exited).toBe(1);
    expect(bot.output()).toBe(
      'A required package is not installed. Run "npm ci" in a checkout of the repository, without --omit.\n',
    );
  });
});
