import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';
import { z } from 'zod';

const hooksFile = z.object({ hooks: z.record(z.string(), z.string()) });
const packageFile = z.object({ scripts: z.record(z.string(), z.string()) });

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

it('gives the Slack CLI the manifest of Socket Mode, and starts with it', async () => {
  const { hooks } = hooksFile.parse(await readJson('.slack/hooks.json'));
  const { stdout } = await promisify(execFile)('sh', ['-c', hooks['get-manifest'] ?? '']);
  expect(JSON.parse(stdout)).toEqual(await readJson('manifest.socket.json'));
  expect(hooks['start']).toBe('npm start');
  expect(packageFile.parse(await readJson('package.json')).scripts).toHaveProperty('start');
});
