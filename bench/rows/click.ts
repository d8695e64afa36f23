import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Pool } from 'undici';
import { z } from 'zod';

import type { Comparison, Measure } from '../comparison.ts';
import { environmentOf, freePort, listens, sendOver } from '../measure/contender.ts';
import { flushDelay } from '../measure/flush.ts';
import { type Figures, interleave, median } from '../measure/interleave.ts';
import { production } from '../measure/production.ts';
import { type SignedPayload, signedClick, signedCommand } from '../slack/slack-payloads.ts';
import { type SlackAndService, startSlackAndService } from '../slack/slack-and-service.ts';

/** Written down before the first byte leaves: that the click is in hand, and that the request runs. */
const durableSteps = 2;
/** Milliseconds that we may take on top. */
const onTop = 2;
const rounds = 60;
/** What a round leaves to be done has ended after so long. */
const quietMs = 20;
const user = 'U0ALICE';

const rules = `
instances:
  web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476, project: 1, region: 2 }
roles:
  responders: { users: [${user}] }
rules:
  - { operations: [cloud.*], roles: [responders], then: confirm }
`;

/**
 * From a click that confirms to the first byte at the service, with every durable step of it, beside a handler that
 * flushes as often and posts at once; one click at a time.
 */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  const flush = flushDelay(folder);
  const [slack, service] = await Promise.all([startSlackAndService(0), startService()]);
  const bot = await startBot(folder, flush.ms, slack, service);
  const [handler, again] = await Promise.all([
    startHandler(folder, flush.ms, service),
    startHandler(folder, flush.ms, service),
  ]);
  const commits: number[] = [];
  const oursOf = async (): Promise<number> => {
    const [began, arrived] = await confirmed(bot, service, slack);
    commits.push(bot.commits.filter((at) => at >= began && at <= arrived).length);
    return arrived - began;
  };
  try {
    const figures = await interleave(
      {
        bare: () => timeToService(handler, service),
        ours: oursOf,
        again: () => timeToService(again, service),
      },
      { rounds, warmUps: 20 },
    );
    return compared(figures, median(commits), flush.note);
  } finally {
    await Promise.all([bot, handler, again].map((program) => program.end()));
    service.close();
    slack.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

function compared(figures: Figures, commits: number, note: string): readonly Comparison[] {
  const [ours, bare] = [figures.of('ours'), figures.of('bare')];
  const other = bare + onTop;
  return [
    {
      what: `confirmed click to the first byte at the service, p50${note}`,
      ours,
      beside: `a handler with ${durableSteps} raw flushes that posts at once, ${bare.toFixed(2)} ms, + ${onTop} ms`,
      other,
      unit: 'ms',
      ratio: ours / other,
      aim: { atMost: 1 },
      control: figures.ratio('again', 'bare'),
    },
    {
      what: 'flushes on the way of that click',
      ours: commits,
      beside: 'durable steps',
      other: durableSteps,
      unit: 'flushes',
      ratio: commits / durableSteps,
      aim: { atMost: 1 },
    },
  ];
}

function startBot(folder: string, flushMs: number, slack: SlackAndService, service: Service) {
  const rulebook = join(folder, 'bellhop.yaml');
  writeFileSync(rulebook, rules);
  return startProgram(production.program, {
    DATA_DIR: folder,
    FLUSH_ADDED_MS: String(flushMs),
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_API_URL: slack.apiUrl,
    API_BASE_URL: service.url,
    API_KEY: 'bench',
    BELLHOP_CONFIG: rulebook,
  });
}

const startHandler = (folder: string, flushMs: number, service: Service) =>
  startProgram('peers/bare-click.js', {
    DATA_DIR: folder,
    FLUSH_ADDED_MS: String(flushMs),
    FLUSHES: String(durableSteps),
    SERVICE_URL: service.url,
  });

const now = (): number => performance.timeOrigin + performance.now();

interface Service {
  readonly url: string;
  /** Epoch milliseconds of the next call's first byte. */
  arrival(): Promise<number>;
  close(): void;
}

async function startService(): Promise<Service> {
  let arrived: ((at: number) => void) | undefined;
  const server = createServer((request, response) => {
    arrived?.(now());
    request.resume();
    response.setHeader('content-type', 'application/json').end('{"tasks":["task-1"]}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    arrival: () => new Promise((resolve) => (arrived = resolve)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Program {
  /** When each commit was done, in epoch milliseconds. */
  readonly commits: readonly number[];
  send(payload: SignedPayload): Promise<void>;
  end(): Promise<void>;
}

const commit = z.object({ committedAt: z.number() });

async function startProgram(path: string, environment: Readonly<Record<string, string>>): Promise<Program> {
  const port = await freePort();
  const child = fork(join(import.meta.dirname, '..', path), {
    execArgv: ['--import', join(import.meta.dirname, '../measure/commit-reporter.ts')],
    env: environmentOf(port, environment),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const commits: number[] = [];
  child.on('message', (message) => commits.push(commit.parse(message).committedAt));
  await listens(child, port, path);
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 });
  return {
    commits,
    send: (payload) => sendOver(pool, payload),
    async end() {
      await pool.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const clickOn = (request: string, ts: string): SignedPayload =>
  signedClick({ request, ts, user, responseUrl: 'http://127.0.0.1:9/response' });

/** When the click began, and when its first byte was at the service. */
async function timed(program: Program, service: Service, click: SignedPayload): Promise<[number, number]> {
  const arrival = service.arrival();
  const began = now();
  const [at] = await Promise.all([arrival, program.send(click)]);
  return [began, at];
}

async function timeToService(program: Program, service: Service): Promise<number> {
  const [began, arrived] = await timed(program, service, clickOn('web-1', '1.1'));
  await delay(quietMs);
  return arrived - began;
}

/** A request that waits for its click, and a bot that does nothing else. */
async function proposedClick(bot: Program, slack: SlackAndService): Promise<SignedPayload> {
  const proposed = slack.card('web-1', 'proposed');
  const responseUrl = slack.responseUrl;
  await bot.send(signedCommand({ command: '/cloud', text: 'reboot web-1', user, responseUrl }));
  const card = await proposed;
  await delay(quietMs);
  return clickOn(card.request, card.ts);
}

/** A click whose request has come to its end. */
async function confirmed(
  bot: Program,
  service: Service,
  slack: SlackAndService,
): Promise<[began: number, arrived: number]> {
  const click = await proposedClick(bot, slack);
  const ended = slack.card('web-1', 'succeeded');
  const times = await timed(bot, service, click);
  await ended;
  return times;
}
