/** One contender of `ack.ts`, in a process of its own, so that its CPU can be told from the load's. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

import { App, type Receiver } from '@slack/bolt';
import { z } from 'zod';

import { createInFlight } from '../src/core/in-flight.ts';
import { boltLogger } from '../src/slack/bolt-logger.ts';
import { createReceiver } from '../src/slack/receiver.ts';

export const signingSecret = 'a signing secret';
export const contenders = ['bare', 'bare + parse', 'receiver', 'receiver + Bolt'] as const;

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = {
  now: () => Date.now(),
  every: () => () => undefined,
  wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
};

/** Reads the body, checks the signature, answers; `parses` reads the payload too, which any use of it needs. */
function bare(parses: boolean): Promise<number> {
  const key = createSecretKey(signingSecret, 'utf8');
  let last: unknown;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const timestamp = String(request.headers['x-slack-request-timestamp']);
      const digest = createHmac('sha256', key).update(`v0:${timestamp}:`).update(body).digest();
      const claimed = Buffer.from(String(request.headers['x-slack-signature']).slice(3), 'hex');
      const signed = timingSafeEqual(digest, claimed);
      if (parses && signed) last = JSON.parse(new URLSearchParams(body.toString()).get('payload') ?? '');
      response.writeHead(signed && (!parses || last) ? 200 : 401, { 'Content-Length': 0 }).end();
    });
  });
  const address = z.object({ port: z.number() });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(address.parse(server.address()).port)),
  );
}

async function ours(withBolt: boolean): Promise<number> {
  const receiver = createReceiver({
    signingSecret,
    clock,
    logger: silent,
    inFlight: createInFlight(clock, silent),
    routes: {},
  });
  if (withBolt) boltApp(receiver);
  return receiver.start({ host: '127.0.0.1', port: 0 });
}

const nothing = (): Promise<void> => Promise.resolve();

/** One listener a kind, as in the bot. */
function boltApp(receiver: Receiver): void {
  const app = new App({
    receiver,
    authorize: () => Promise.resolve({ botToken: 'xoxb-bench', botUserId: 'U0', botId: 'B0' }),
    ignoreSelf: false,
    attachFunctionToken: false,
    logger: boltLogger(silent),
  });
  app.command(/^\//u, nothing);
  app.action(/^/u, nothing);
  app.view(/^/u, ({ ack }) => ack());
  app.options(/^/u, ({ ack }) => ack({ options: [] }));
  app.event('app_home_opened', nothing);
}

const starts: Readonly<Record<string, () => Promise<number>>> = {
  bare: () => bare(false),
  'bare + parse': () => bare(true),
  receiver: () => ours(false),
  'receiver + Bolt': () => ours(true),
};

const start = starts[process.argv[2] ?? ''];
if (process.send && start) {
  process.send({ port: await start() });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicroseconds: user + system });
  });
}
