import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { person } from './slack-stand-in.ts';

/** A card as it was posted or edited. */
export interface SeenCard {
  readonly ts: string;
  readonly text: string;
  readonly request: string;
}

/** One server for Slack's Web API and for the service. It resolves waiting calls when a card appears, and counts changes. */
export interface SlackAndService {
  readonly apiUrl: string;
  readonly serviceUrl: string;
  readonly responseUrl: string;
  /** Resolves to the card that names the target and says this. */
  card(target: string, words: string, ts?: string): Promise<SeenCard>;
  /** The number of answers to `responseUrl` so far. */
  answers(): number;
  /** Resolves at the next one. */
  answer(): Promise<void>;
  changes(): number;
  /** Sets how long the service takes to answer a change, in milliseconds. */
  answersAfter(ms: number): void;
  close(): void;
}

const message = z.object({ text: z.string(), blocks: z.string(), ts: z.string().optional() });

interface Waiting {
  readonly words: string;
  readonly ts?: string | undefined;
  readonly seen: (card: SeenCard) => void;
}

/** Slack's answer to all calls except messages. */
function lookUp(method: string, form: URLSearchParams): object {
  if (method === 'chat.getPermalink')
    return { ok: true, permalink: 'https://bench.slack.com/archives/C0OPS/p1' };
  const user = { ...person, id: form.get('user'), team_id: 'T0LOCAL' };
  return { ok: true, team_id: 'T0LOCAL', user_id: 'U0BELLHOP', user };
}

/** @param answerMs how long the service takes to answer a change, in milliseconds */
export async function startSlackAndService(answerMs: number): Promise<SlackAndService> {
  const waiting = new Map<string, Waiting>();
  let [posts, answers, changes, answersAfterMs] = [0, 0, 0, answerMs];
  let answered: (() => void) | undefined;
  const show = (form: URLSearchParams): object => {
    const {
      text,
      blocks,
      ts = `1700000000.${String((posts += 1)).padStart(6, '0')}`,
    } = message.parse(Object.fromEntries(form));
    const target = /web-\d+/u.exec(text)?.[0] ?? '';
    const waits = waiting.get(target);
    if (waits && text.includes(waits.words) && (waits.ts === undefined || waits.ts === ts)) {
      waiting.delete(target);
      waits.seen({ ts, text, request: /"value":"(r-[a-z0-9]+)"/u.exec(blocks)?.[1] ?? '' });
    }
    return { ok: true, channel: 'C0OPS', ts };
  };
  const slack = (method: string, form: URLSearchParams): object =>
    method === 'chat.postMessage' || method === 'chat.update' ? show(form) : lookUp(method, form);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, side, method = ''] = request.url?.split('/') ?? [];
      response.setHeader('content-type', 'application/json');
      if (side === 'response') {
        answers += 1;
        answered?.();
      }
      if (side === 'cloud') {
        changes += 1;
        void delay(answersAfterMs).then(() => response.end('{"tasks":["reboot"]}'));
        return;
      }
      response.end(JSON.stringify(slack(method, new URLSearchParams(Buffer.concat(chunks).toString()))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const url = `http://127.0.0.1:${port}`;
  return {
    apiUrl: `${url}/api/`,
    serviceUrl: url,
    responseUrl: `${url}/response`,
    card: (target, words, ts) => new Promise((seen) => waiting.set(target, { words, ts, seen })),
    answers: () => answers,
    answer: () => new Promise((resolve) => (answered = resolve)),
    changes: () => changes,
    answersAfter: (ms) => {
      answersAfterMs = ms;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
