import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { botProgram } from '../../../built-bot.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';
import { confirmed, logOf, story } from '../october.ts';

let dataDir: string;
beforeAll(async () => {
  const many = Array.from({ length: 1200 }, (_, at) =>
    story(`r-${at}`, Date.UTC(2026, 9, 2) + at * 600_000, 'web-1', confirmed),
  );
  ({ dataDir } = await logOf([many.flat()]));
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  'a pack that is interrupted with %s leaves nothing behind',
  async (signal) => {
    const folder = temporaryFolder();
    const args = ['evidence', '--from', '2026-10-01', '--to', '2026-10-31', '--out', join(folder, 'october')];
    const child = spawn(process.execPath, [botProgram('audit'), ...args], {
      cwd: folder,
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await until(() =>
      readdirSync(folder, { recursive: true }).some((name) => String(name).includes('proofs')),
    );
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(readdirSync(folder)).toEqual([]);
  },
);
