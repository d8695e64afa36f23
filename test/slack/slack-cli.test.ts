import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';
import { z } from 'zod';

const hooksFile = z.object({ hooks: z.record(z.string(), z.string()) });

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

it('the project gives the Slack CLI the manifest of Socket Mode, and starts with it', async () => {
  const { hooks } = hooksFile.parse(await readJson('.slack/hooks.json'));
  const { stdout } = await promisify(execFile)('sh', ['-c', hooks['get-manifest'] ?? '']);
  expect(JSON.parse(stdout)).toEqual(await readJson('manifest.socket.json'));
  // Not through npm, whose shell ends at a signal without passing it on.
  expect(hooks['start']).toBe('sh scripts/with-node node src/start.js');
  for (const path of ['scripts/with-node', 'src/start.js']) await access(path);
});
