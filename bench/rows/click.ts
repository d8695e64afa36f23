import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import type { Comparison, Measure } from '../comparison.ts';
import { type Committing, startCommitting } from '../measure/committing.ts';
import { flushDelay } from '../measure/flush.ts';
import { type Figures, interleave, median } from '../measure/interleave.ts';
import { production } from '../measure/production.ts';
import { signedClick, signedCommand } from '../slack/slack-payloads.ts';
import { type SlackAndService, startSlackAndService } from '../slack/slack-and-service.ts';

/** Stored before the card is posted, or before the first byte leaves: the payload, and the step. */
const durableSteps = 2;
/** Additional time that we may take, in milliseconds. */
const onTop = 2;
const rounds = 60;
/** After this time, the work that a round leaves behind has ended. */
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

/** Times of a confirmed command, in milliseconds, and its commits. */
interface Times {
  /** From the command to its card at Slack. */
  readonly toCard: number;
  readonly commitsToCard: number;
  /** From the click to the first byte at the service. */
  readonly toService: number;
  readonly commitsToService: number;
  /** From the click to the card with the outcome. */
  readonly toEnd: number;
}

/**
 * From a command to its card, from the confirming click to the first byte at the service, and to the updated card, with every
 * durable step. Compared with a handler that flushes as often and posts at once. One command at a time.
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
  const all: Times[] = [];
  try {
    const figures = await interleave(
      {
        bare: () => timeToService(handler, service),
        ours: async () => {
          const times = await confirmed(bot, service, slack);
          all.push(times);
          return times.toService;
        },
        again: () => timeToService(again, service),
      },
      { rounds, warmUps },
    );
    return compared(figures, all.slice(warmUps), flush.note);
  } finally {
    await Promise.all([bot, handler, again].map((program) => program.end()));
    service.close();
    slack.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const warmUps = 20;

function compared(figures: Figures, all: readonly Times[], note: string | undefined): readonly Comparison[] {
  const bare = figures.of('bare');
  const control = figures.ratio('again', 'bare');
  const of = (member: keyof Times): number => median(all.map((times) => times[member]));
  const felt = (what: string, ours: number, allowed?: number): Comparison => ({
    what,
    note,
    ours,
    beside: `a handler with ${durableSteps} raw flushes that posts at once${allowed === undefined ? '' : `, + ${allowed} ms`}`,
    other: bare + (allowed ?? 0),
    unit: 'ms',
    ratio: ours / (bare + (allowed ?? 0)),
    aim: allowed === undefined ? undefined : { atMost: 1 },
    control,
    felt: true,
  });
  return [
    felt('command to its card at Slack, p50', of('toCard'), onTop),
    felt('confirmed click to the first byte at the service, p50', figures.of('ours'), onTop),
    felt('confirmed click to the card with the outcome, p50', of('toEnd')),
    flushes('flushes on the way of a command to its card', of('commitsToCard')),
    flushes('flushes on the way of a click to the service', of('commitsToService')),
  ];
}

const flushes = (what: string, ours: number): Comparison => ({
  what,
  ours,
  beside: 'durable steps',
  other: durableSteps,
  unit: 'flushes',
  ratio: ours / durableSteps,
  aim: { atMost: 1 },
});

function startBot(folder: string, flushMs: number, slack: SlackAndService, service: Service) {
  const rulebook = join(folder, 'bellhop.yaml');
  writeFileSync(rulebook, rules);
  const environment = {
    DATA_DIR: folder,
    FLUSH_ADDED_MS: String(flushMs),
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_API_URL: slack.apiUrl,
    API_BASE_URL: service.url,
    API_KEY: 'bench',
    BELLHOP_CONFIG: rulebook,
  };
  return startCommitting(production.program, environment, production.nodeOptions);
}

const startHandler = (folder: string, flushMs: number, service: Service) =>
  startCommitting('peers/bare-click.js', {
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

/** A service call as the handler makes it, one at a time. */
async function timeToService(handler: Committing, service: Service): Promise<number> {
  const began = now();
  const click = signedClick({ request: 'web-1', ts: '1.1', text: '', user, responseUrl });
  const [arrived] = await Promise.all([service.arrival(), handler.send(click)]);
  await delay(quietMs);
  return arrived - began;
}

/** Sends a command, clicks once the bot is idle, and waits for the end. */
async function confirmed(bot: Committing, service: Service, slack: SlackAndService): Promise<Times> {
  const asked = now();
  const proposed = slack.card('web-1', 'proposed').then((card) => ({ ...card, at: now() }));
  await bot.send(signedCommand({ command: '/cloud', text: 'reboot web-1', user, responseUrl }));
  const card = await proposed;
  await delay(quietMs);
  const clicked = now();
  const ended = slack.card('web-1', 'succeeded').then(now);
  const [arrived] = await Promise.all([
    service.arrival(),
    bot.send(signedClick({ ...card, user, responseUrl })),
  ]);
  const endedAt = await ended;
  await delay(quietMs);
  const commitsIn = (from: number, to: number) => bot.commits.filter((at) => at >= from && at <= to).length;
  return {
    toCard: card.at - asked,
    commitsToCard: commitsIn(asked, card.at),
    toService: arrived - clicked,
    commitsToService: commitsIn(clicked, arrived),
    toEnd: endedAt - clicked,
  };
}

const responseUrl = 'http://127.0.0.1:9/response';
