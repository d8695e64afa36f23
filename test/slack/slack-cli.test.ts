import { access, readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';
import { z } from 'zod';

import { createRegistry } from '../../src/command/grammar/registry.ts';
import { operations } from '../../src/operations/index.ts';
import { manifestOf } from '../../src/slack/manifest.ts';
import { callScript } from '../call-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const hooksFile = z.object({
  hooks: z.object({ 'get-manifest': z.string(), start: z.string() }),
  config: z.object({ watch: z.object({ manifest: z.object({ paths: z.array(z.string()) }) }) }),
});

const { hooks, config } = hooksFile.parse(JSON.parse(await readFile('.slack/hooks.json', 'utf8')));

it('the project gives the Slack CLI the manifest of Socket Mode, before there is a bellhop.yaml', async () => {
  const [, program = '', words = ''] =
    /^sh scripts\/with-node node (\S+) (.+)$/u.exec(hooks['get-manifest']) ?? [];
  const { code, out, err } = await callScript(program, words.split(' '), {}, temporaryFolder());
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual(manifestOf(createRegistry(operations, []), 'socket'));
});

it('starts with the Slack CLI, and is installed again after a change of its commands', async () => {
  // Not through npm, whose shell ends at a signal without passing it on.
  expect(hooks.start).toBe('sh scripts/with-node node src/start.js');
  const watched = config.watch.manifest.paths;
  expect(watched).toHaveLength(1);
  for (const path of ['scripts/with-node', 'src/start.js', ...watched]) await access(path);
});
