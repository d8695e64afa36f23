import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { badConfiguration, errorCode } from '../model/values/errors.ts';

type UnreadBody = 'too-large' | 'no-room' | 'broken' | 'stopping';

export interface BodyBounds {
  /** In bytes. A larger body gets 413. */
  readonly body: number;
  readonly allBodies: number;
}

/** Never rejects. */
type BodyReader = (request: IncomingMessage) => Promise<Buffer | UnreadBody>;

/** In bytes. Slack's payloads are rarely larger, so a flood of large bodies does not block Slack. */
const smallBody = 64 * 1024;

/**
 * Stops reading at the limit of a body and drops the rest. Beyond the total limit, only small bodies are read.
 * @param stopping whether Bellhop has begun to stop. A request whose body arrives after the drain would be lost
 */
export function createBodyReader(
  { body: limit, allBodies }: BodyBounds,
  stopping: () => boolean,
): BodyReader {
  let reading = 0;
  return async (request) => {
    const announced = request.headers['content-length'];
    if (announced !== undefined && Number(announced) > limit) return 'too-large';
    const { promise, resolve } = Promise.withResolvers<Buffer | UnreadBody>();
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const settle = (body: Buffer | UnreadBody): void => {
      if (settled) return;
      settled = true;
      reading -= size;
      resolve(body);
    };
    request.on('data', (chunk: Buffer) => {
      if (settled) return;
      size += chunk.length;
      reading += chunk.length;
      const problem =
        size > limit ? 'too-large' : size > smallBody && reading > allBodies ? 'no-room' : undefined;
      if (problem === undefined) return void chunks.push(chunk);
      request.pause();
      settle(problem);
    });
    request.on('end', () => settle(stopping() ? 'stopping' : Buffer.concat(chunks)));
    request.on('close', () => settle('broken'));
    request.on('error', () => settle('broken'));
    return promise;
  };
}

/** Every digest has the same length, so comparing digests takes constant time. */
const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other));

/** In UTF-16 units. The rest of a header is not read. */
export const longestHeader = 4096;

export function presentsSecret(header: string | undefined, secrets: readonly string[]): boolean {
  const [, shown = ''] = /^bearer +(\S+) *$/iu.exec((header ?? '').slice(0, longestHeader)) ?? [];
  // All secrets are compared, so that the response time reveals nothing.
  return secrets.map((secret) => isSame(shown, secret)).includes(true) && shown !== '';
}

/** In hexadecimal: HMAC-SHA256 of the parts, in a row, with one of the secrets. */
export function isSigned(
  claimed: readonly string[],
  secrets: readonly string[],
  ...parts: readonly (string | Buffer)[]
): boolean {
  const given = claimed.map((one) => Buffer.from(one));
  const expected = secrets.map((secret) =>
    Buffer.from(parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', secret)).digest('hex')),
  );
  // All secrets are tried, so that the response time reveals nothing.
  return expected
    .flatMap((digest) => given.map((one) => one.length === digest.length && timingSafeEqual(one, digest)))
    .includes(true);
}

export interface PlainReply {
  readonly status: number;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Answers once. Does nothing if a response was begun or the client is gone. HEAD gets no body. */
export function respond(response: ServerResponse, reply: PlainReply): void {
  if (response.headersSent || response.destroyed) return;
  const { status, body = '', contentType = 'text/plain; charset=utf-8', headers } = reply;
  response.writeHead(status, {
    ...headers,
    ...(body !== '' && { 'Content-Type': contentType }),
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

export interface RouteReply<Outcome extends string> extends PlainReply {
  readonly outcome: Outcome;
  /** Shown in the log and in `/bellhop status`, never to the sender. */
  readonly problem?: string | undefined;
}

export const reject = <Outcome extends string>(
  outcome: Outcome,
  status: number,
  body: string,
  headers?: PlainReply['headers'],
): RouteReply<Outcome> => ({ outcome, status, body, headers });

export const retryLater = <Outcome extends string>(
  outcome: Outcome,
  status: number,
  body: string,
  seconds: number,
): RouteReply<Outcome> => reject(outcome, status, body, { 'Retry-After': String(seconds) });

export const internalError: PlainReply = { status: 500, body: 'Internal error' };

/** A failure is logged, and answered with 500. */
export async function answerWith<Answer extends PlainReply>(
  response: ServerResponse,
  work: () => Promise<Answer | undefined>,
  onAnswer: (answer: Answer) => void,
  onFailure: (error: unknown) => void,
): Promise<void> {
  try {
    const answer = await work();
    if (!answer) return;
    // The rest of a rejected body is not read.
    if (answer.status >= 400 && !response.req.complete) response.setHeader('Connection', 'close');
    respond(response, answer);
    onAnswer(answer);
  } catch (error) {
    onFailure(error);
    respond(response, internalError);
  }
}

/** A sender that left gets no reply. After a pause, another replica may accept the body. */
export const unreadAnswers = {
  'too-large': reject('too large', 413, 'Too large'),
  'no-room': retryLater('busy', 503, 'Busy', 2),
  stopping: retryLater('stopping', 503, 'Stopping', 2),
  broken: undefined,
} as const satisfies Record<UnreadBody, RouteReply<string> | undefined>;

/**
 * At most `inFlight` bodies at a time.
 * @param work answers a body that was read
 */
export function createIntake(
  { inFlight: most, ...bounds }: BodyBounds & { readonly inFlight: number },
  stopping: () => boolean,
) {
  const readBody = createBodyReader(bounds, stopping);
  let inFlight = 0;
  return async <A>(request: IncomingMessage, work: (body: Buffer) => A | Promise<A>) => {
    if (inFlight >= most) return retryLater('busy', 429, 'Busy', 1);
    inFlight += 1;
    try {
      const body = await readBody(request);
      return Buffer.isBuffer(body) ? await work(body) : unreadAnswers[body];
    } finally {
      inFlight -= 1;
    }
  };
}

interface Listening {
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

/** @throws BellhopError `configuration` with the setting to change, if the address can't be used */
export async function withPort<T>(listening: Listening, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const problem = problemOf(errorCode(error) ?? '', listening);
    throw problem === undefined ? error : badConfiguration(problem, { cause: error });
  }
}

function problemOf(code: string, { setting, host, port }: Listening): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `${setting}: another program is using port ${port} on ${host}. Stop it (another Bellhop?), or set ${setting} to a free port.`;
    case 'EACCES':
      return `${setting}: this user can't listen on port ${port}. Set ${setting} to a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: ${host} is not an address of this machine. Set HOST to one, such as 127.0.0.1, or 0.0.0.0 for all.`;
    default:
      return undefined;
  }
}
