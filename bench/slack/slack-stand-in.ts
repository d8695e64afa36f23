import { createServer } from 'node:http';

import { z } from 'zod';

/** A simulated Web API, with the answers that the contenders use. */
export interface SlackStandIn {
  /** `SLACK_API_URL`. */
  readonly apiUrl: string;
  readonly responseUrl: string;
  /** Answers that came to `responseUrl` so far. */
  readonly answers: () => number;
  /** Resolves at the next answer to `responseUrl` with this query. */
  answer(query: string): Promise<void>;
  /** The groups of alerts that were posted so far, from *I'm on it*. */
  readonly groups: () => readonly string[];
  /** New messages so far. */
  readonly posts: () => number;
  close(): void;
}

const replies: Readonly<Record<string, object>> = {
  '/api/auth.test': {
    url: 'https://example.slack.com/',
    team: 'Example',
    user: 'bellhop',
    bot_id: 'B0BELLHOP',
  },
  '/api/chat.postMessage': { channel: 'C0INC42', ts: '1.1' },
  '/api/chat.update': { channel: 'C0INC42', ts: '1.1' },
  '/api/chat.getPermalink': { permalink: 'https://example.slack.com/archives/C0INC42/p11' },
};

/** A full member of the workspace. */
export const person = {
  is_bot: false,
  deleted: false,
  is_restricted: false,
  is_ultra_restricted: false,
  tz: 'UTC',
};

/** The button *I'm on it*, as Slack sends it back. The bench also compiles without that feature. */
export const takeAction = 'owner:take';
const ownable = new RegExp(`"action_id":"${takeAction}","value":"([^"]+)"`, 'gu');

export async function startSlackStandIn(): Promise<SlackStandIn> {
  let [answers, posts] = [0, 0];
  const groups: string[] = [];
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [path = '', query = ''] = request.url?.split('?', 2) ?? [];
      if (path === '/response') answers += 1;
      waiting.get(query)?.();
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      if (path === '/api/chat.postMessage') {
        posts += 1;
        groups.push(...[...(form.get('blocks') ?? '').matchAll(ownable)].map(([, group = '']) => group));
      }
      const asked = form.get('user');
      const reply = {
        ok: true,
        team_id: 'T0LOCAL',
        user_id: 'U0BELLHOP',
        ...replies[path],
        ...(path === '/api/users.info' && { user: { id: asked, team_id: 'T0LOCAL', ...person } }),
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    responseUrl: `http://127.0.0.1:${port}/response`,
    answers: () => answers,
    answer: (query) =>
      new Promise((resolve) => {
        const answered = () => {
          waiting.delete(query);
          resolve();
        };
        waiting.set(query, answered);
      }),
    groups: () => groups,
    posts: () => posts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
