import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { Pool } from 'undici';
import { z } from 'zod';

import type { SignedPayload } from '../slack/slack-payloads.ts';
import { environmentOf, freePort, listens, sendOver } from './contender.ts';

/** A program in its own process that reports its commits to SQLite. */
export interface Committing {
  readonly port: number;
  /** When each commit was done, in epoch milliseconds. */
  readonly commits: readonly number[];
  send(payload: SignedPayload): Promise<void>;
  end(): Promise<void>;
}

const commit = z.object({ committedAt: z.number() });

/** @param path from `bench/` */
export async function startCommitting(
  path: string,
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<Committing> {
  const port = await freePort();
  const child = fork(join(import.meta.dirname, '..', path), {
    execArgv: [...nodeOptions, '--import', join(import.meta.dirname, 'commit-reporter.ts')],
    env: environmentOf(port, environment),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const commits: number[] = [];
  child.on('message', (message) => commits.push(commit.parse(message).committedAt));
  await listens(child, port, path);
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 });
  return {
    port,
    commits,
    send: (payload) => sendOver(pool, payload),
    async end() {
      await pool.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
