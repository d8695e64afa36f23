import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/until.ts';
import { MANIFEST } from './open-slack.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function run(...options: string[]) {
  const program = join(import.meta.dirname, '../../workspace/main.ts');
  const child = spawn(process.execPath, [program, ...options]);
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (said.out += String(chunk)));
  child.stderr.on('data', (chunk) => (said.err += String(chunk)));
  return { child, said };
}

describe('the program', () => {
  it('starts a workspace for any app, and stops when asked', async () => {
    const manifest = join(folder, 'manifest.json');
    writeFileSync(manifest, JSON.stringify(MANIFEST));
    const { child, said } = run(
      '--port',
      '0',
      '--bot-token',
      'xoxb-a',
      '--signing-secret',
      'b',
      '--manifest',
      manifest,
      '--data-dir',
      folder,
    );
    const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(said.out)?.[0]);
    const state = await request(`${url}/_workspace/state?as=U0ALICE`);
    expect(await state.body.json()).toMatchObject({ app: { name: 'Bellhop' } });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('needs no signing secret for Socket Mode, and one or the other', async () => {
    const bare = ['--port', '0', '--bot-token', 'xoxb-a', '--manifest', 'none.json'];
    const refused = run(...bare);
    expect(await once(refused.child, 'exit')).toEqual([2, null]);
    expect(refused.said.err).toContain('--signing-secret is missing');
    const taken = run(...bare, '--app-token', 'xapp-a');
    expect(await once(taken.child, 'exit')).toEqual([1, null]);
    expect(taken.said.err).toContain('none.json');
  });

  it('says what is missing', async () => {
    const { child, said } = run('--port', '0');
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(said.err).toContain('bot-token');
    expect(said.err).toContain('npm run workspace');
  });
});
