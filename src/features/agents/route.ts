import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import { createRateLimit } from '../../http/rate-limit.ts';
import {
  type RouteReply,
  answerWith,
  createBodyReader,
  presentsSecret,
  reject,
  respond,
  retryLater,
  unreadAnswers,
} from '../../http/incoming.ts';
import { rescue } from '../../model/values/errors.ts';
import { parseExactJson } from '../../text/exact.ts';
import { orUndefined } from '../../text/words.ts';
import { isLoopback } from '../../text/host.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { Agents } from './suggestions/section.ts';

/** The result of a call. `answered` and `refused` mean that a tool ran. */
export type AgentCallOutcome =
  | 'answered'
  | 'refused'
  | 'failed'
  | 'unauthorized'
  | 'foreign origin'
  | 'wrong method'
  | 'too large'
  | 'not one message'
  | 'limited'
  | 'busy'
  | 'stopping';

/** The agent is undefined without a valid token. `problem` says why a call was refused. */
export type OnAgentCall = (agent: string | undefined, outcome: AgentCallOutcome, problem?: string) => void;

export interface AgentsRouteOptions {
  readonly agents: () => Agents;
  /**
   * The accepted values of `secret:name`: one, or two during a rotation.
   * @throws BellhopError if the secret has no value
   */
  readonly acceptedSecrets: (reference: string) => readonly string[];
  /** Never rejects. */
  readonly serve: (agent: string, request: Request, message: unknown) => Promise<Response>;
  readonly stopping: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly afterCall: OnAgentCall;
}

/** `outcome` is undefined if the MCP server answered, because that server counts the calls of tools. Other messages are not counted. */
type AgentAnswer = Omit<RouteReply<AgentCallOutcome>, 'outcome'> & {
  readonly outcome?: AgentCallOutcome | undefined;
};

const largestBody = 1024 * 1024;
/** Limits for one agent: unanswered calls, and calls that run at the same time. */
const maxInFlight = 200;
const maxAtOnce = 2;
/** Calls of one agent. Agents read in bursts, so the burst is large. */
const rate = { burst: 300, perSecond: 5 };

const unauthorized = reject('unauthorized', 401, "Send an agent's token: Authorization: Bearer …", {
  'WWW-Authenticate': 'Bearer',
});
const notOne = reject('not one message', 400, 'Send one JSON-RPC message per request. Its id may be text');

export const atAgents = { path: /^\/mcp$/u, address: '/mcp' } as const;

export function createAgentsRoute(
  options: AgentsRouteOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { agents, clock, log, afterCall, serve, stopping } = options;
  const agentOf = createAuthenticator(options);
  const limit = createRateLimit(clock, rate);
  const readBody = createBodyReader({ body: largestBody, allBodies: 8 * largestBody }, stopping);
  const lines = new Map<string, Line>();

  const answerTo = async (
    agent: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<AgentAnswer | undefined> => {
    const line = lines.getOrInsertComputed(agent, createLine);
    if (line.length() >= maxInFlight) return retryLater('busy', 429, 'Too many calls at once', 1);
    return line.pass(
      () => readBody(request),
      async (body) => {
        if (!Buffer.isBuffer(body)) return unreadAnswers[body];
        const message = parseMessage(body);
        if (message === undefined) return notOne;
        const answer = await serve(agent, requestFrom(request.headers, goneOf(response)), message);
        const contentType = answer.headers.get('content-type') ?? undefined;
        return { status: answer.status, body: await answer.text(), contentType };
      },
    );
  };

  const admit = (
    agent: string | undefined,
    { headers, method }: IncomingMessage,
  ): AgentAnswer | undefined => {
    if (agent === undefined) return unauthorized;
    if (isForeign(headers)) return reject('foreign origin', 403, 'Cross-origin requests are not allowed');
    if (method !== 'POST') return reject('wrong method', 405, 'Method not allowed', { Allow: 'POST' });
    if (stopping()) return unreadAnswers.stopping;
    const seconds = limit.take(agent);
    if (seconds > 0) return retryLater('limited', 429, `Too many calls: try again in ${seconds} s`, seconds);
    if (Number(headers['content-length'] ?? 0) > largestBody) return unreadAnswers['too-large'];
    return undefined;
  };

  return async (request, response) => {
    if (Object.keys(agents()).length === 0) {
      request.resume();
      return respond(response, { status: 404, body: 'Not found' });
    }
    const { agent, problem } = agentOf(request.headers.authorization);
    await answerWith(
      response,
      async () => admit(agent, request) ?? (await answerTo(agent ?? '', request, response)),
      ({ outcome }) => outcome && afterCall(agent, outcome, problem),
      (error) => log.error({ err: error, agent }, 'agent call failed'),
    );
  };
}

/**
 * In milliseconds. Tokens are cached for this long, so that calls without a valid token do not each read the files of
 * all agents.
 */
const tokensMs = 1_000;

/** All tokens are compared, so that the response time reveals nothing. `problem` is for the log and never for the caller. */
function createAuthenticator({ agents, acceptedSecrets, clock }: AgentsRouteOptions) {
  let read: { readonly of: Agents; readonly at: number } | undefined;
  let tokens: readonly { readonly name: string; readonly accepted: readonly string[] }[] = [];
  return (header: string | undefined): { readonly agent?: string | undefined; readonly problem?: string } => {
    const [of, at] = [agents(), clock.now()];
    if (read?.of !== of || Math.abs(at - read.at) >= tokensMs) {
      tokens = Object.entries(of).map(([name, { token }]) => {
        return { name, accepted: rescue(() => acceptedSecrets(token)) ?? [] };
      });
      read = { of, at };
    }
    const shown = tokens.filter(({ accepted }) => presentsSecret(header, accepted)).map(({ name }) => name);
    return shown.length > 1 ? { problem: `${shown.join(' and ')} have the same token` } : { agent: shown[0] };
  };
}

/**
 * Whether a web page of another site, or of an unknown site, sent this request. Only a loopback name counts as our
 * own, because DNS can point any other name here.
 */
function isForeign({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  return url === null || url.host !== host || !isLoopback(url.hostname);
}

/**
 * Returns undefined for anything but one JSON object. Batches are rejected, because each message counts against the limit. An integer too
 * large for a number becomes text, which commands check like typed text. As an id, it is rejected, because the answer could not repeat it
 * exactly.
 */
function parseMessage(body: Buffer): object | undefined {
  const json = orUndefined(() => new TextDecoder('utf-8', { fatal: true }).decode(body)) ?? '';
  const [exact, message] = [BigInt, String].map((large) => orUndefined(() => parseExactJson(json, large)));
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
  return typeof Reflect.get(Object(exact), 'id') === 'bigint' ? undefined : message;
}

function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

const requestFrom = (headers: IncomingHttpHeaders, signal: AbortSignal): Request => {
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    /^(?:accept|content-type|mcp-.*)$/u.test(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  return new Request('http://localhost/mcp', { method: 'POST', headers: passed, signal });
};

type Line = ReturnType<typeof createLine>;

/**
 * Calls run in the order in which their bodies arrived. Each waits for a new turn of the event loop, so that people's commands are not
 * delayed.
 */
function createLine() {
  let length = 0;
  let working = 0;
  const waiting: (() => void)[] = [];
  return {
    length: () => length,
    async pass<A, B>(arrive: () => Promise<A>, work: (arrived: A) => Promise<B>): Promise<B> {
      length += 1;
      try {
        const arrived = await arrive();
        if (working >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
        else working += 1;
        try {
          await setImmediate();
          return await work(arrived);
        } finally {
          const next = waiting.shift();
          if (next) next();
          else working -= 1;
        }
      } finally {
        length -= 1;
      }
    },
  };
}
