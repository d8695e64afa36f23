import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type Dispatcher, Pool } from 'undici';
import { z } from 'zod';

import { type SignedPayload, signingSecret } from '../slack/slack-payloads.ts';

const usage = z.object({ user: z.number(), system: z.number(), rss: z.number(), inUse: z.number() });
export type Usage = z.infer<typeof usage>;

/** A compared program in its own process, which accepts commands at `POST /slack/events`, or alerts. */
export interface Contender {
  readonly port: number;
  /** Of its process. */
  readonly id: number;
  /**
   * `user` and `system` CPU since its start, in microseconds. Resident memory and memory in use now, in bytes; the latter is what
   * is needed only if garbage was `collected`.
   */
  usage(garbage?: 'as it is' | 'collected'): Promise<Usage>;
  /** @throws Error if the answer is not 200 */
  send(payload: SignedPayload): Promise<void>;
  /** Sends all of them over 20 connections, each the next one after an answer. @throws Error if an answer is not 200 */
  post(count: number, payload: () => SignedPayload): Promise<void>;
  end(): Promise<void>;
}

/** How many connections send commands at once. */
const lanes = 20;

/** `bench/`. */
const here = join(import.meta.dirname, '..');

/** CPU of a contender, kernel time included, for each of `count` commands, in microseconds. */
export async function cpuOfEach(
  contender: Contender,
  count: number,
  payload: () => SignedPayload,
  settled: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const before = await contender.usage();
  await contender.post(count, payload);
  await settled();
  const after = await contender.usage();
  return (after.user + after.system - before.user - before.system) / count;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  server.close();
  return port;
}

/** The environment of every contender: where to listen, and the signing secret. */
export const environmentOf = (port: number, environment: Readonly<Record<string, string>>) => ({
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  PORT: String(port),
  SLACK_SIGNING_SECRET: signingSecret,
  ...environment,
});

/** Starts a program of the bench and waits until it listens. `program` is a path from `bench/`. */
export async function startContender(
  program: string,
  environment: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<Contender> {
  const port = await freePort();
  const child = fork(join(here, program), {
    execArgv: [...nodeOptions, '--expose-gc', '--import', join(import.meta.dirname, 'usage-reporter.js')],
    env: environmentOf(port, environment),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await listens(child, port, program);
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: lanes });
  return {
    port,
    id: child.pid ?? Number.NaN,
    async usage(garbage = 'as it is') {
      const answer = once(child, 'message');
      child.send(garbage);
      return z
        .tuple([usage])
        .rest(z.unknown())
        .parse(await answer)[0];
    },
    send: (payload) => sendOver(pool, payload),
    async post(count, payload) {
      const payloads = Array.from({ length: count }, payload);
      const lane = async (): Promise<void> => {
        for (let next = payloads.pop(); next; next = payloads.pop()) await sendOver(pool, next);
      };
      await Promise.all(Array.from({ length: lanes }, lane));
    },
    async end() {
      await pool.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

export async function sendOver(
  pool: Dispatcher,
  { path = '/slack/events', headers, body }: SignedPayload,
): Promise<void> {
  const reply = await pool.request({ method: 'POST', path, headers, body });
  await reply.body.dump();
  if (reply.statusCode !== 200) throw new Error(`answered ${reply.statusCode}`);
}

export async function listens(child: ChildProcess, port: number, program: string): Promise<void> {
  for (const deadline = performance.now() + 15_000; performance.now() < deadline; await delay(10)) {
    if (child.exitCode !== null) break;
    if (await accepts(port)) return;
  }
  child.kill('SIGKILL');
  throw new Error(`${program} does not listen`);
}

export const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
