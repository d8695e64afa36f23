import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { env } from 'node:process';

import { request } from 'undici';
import { z } from 'zod';

import {
  checkOptions,
  type Program,
  readOptions,
  runProgram,
  UsageError,
} from '../src/program/run-program.ts';

const program: Program = {
  command: 'npm run replay --',
  help: `Usage: npm run replay -- <payload.json> [options]
Sends a recorded payload to a running Bellhop as Slack would, signed with SLACK_SIGNING_SECRET, and prints the answer.
The file holds the fields of a slash command, or the JSON of a click, a form or an event.
  --url <address>   where Bellhop listens (http://127.0.0.1:3000/slack/events, or PORT instead of 3000)
  --fresh           uses new ids; without it, the same payload again within 15 minutes counts as a redelivery and does nothing
  --help            show this`,
};

const schema = z.object({
  url: z.url({
    protocol: /^https?$/u,
    error: 'takes an address, such as http://127.0.0.1:3000/slack/events',
  }),
  fresh: z.boolean().default(false),
});

const payloadSchema = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  trigger_id: z.string().optional(),
  event_id: z.string().optional(),
});
type Payload = z.output<typeof payloadSchema>;

/** @throws UsageError */
function readPayload(path: string): Payload {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read.`, { cause: error });
  }
  try {
    const payload = payloadSchema.parse(JSON.parse(text));
    if (payload.type !== undefined || payload.command !== undefined) return payload;
  } catch (error) {
    throw new UsageError(`${path} is not a payload in JSON.`, { cause: error });
  }
  throw new UsageError(`${path} is not a Slack payload: it has neither “command” nor “type”.`);
}

/** The ids that Slack makes new for each command, click and event. */
const withFreshIds = (payload: Payload): Payload => ({
  ...payload,
  ...(payload.event_id === undefined ? { trigger_id: randomUUID() } : { event_id: randomUUID() }),
});

/** The body as Slack sends each kind: fields, JSON within a field, or JSON. */
function bodyOf(payload: Payload): { readonly body: string; readonly contentType: string } {
  const json = JSON.stringify(payload);
  if (['event_callback', 'url_verification'].includes(payload.type ?? ''))
    return { body: json, contentType: 'application/json' };
  const fields =
    payload.command === undefined
      ? [['payload', json]]
      : Object.entries(payload).map(([name, value]) => [name, String(value)]);
  return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
}

/** Source: docs.slack.dev/authentication/verifying-requests-from-slack. */
function signature(body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` };
}

await runProgram(program, async (args) => {
  const { values, positionals } = readOptions(
    args,
    { url: { type: 'string' }, fresh: { type: 'boolean' } },
    true,
  );
  const { url, fresh } = checkOptions(schema, {
    url: `http://127.0.0.1:${env['PORT'] ?? '3000'}/slack/events`,
    ...values,
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('Name one file with a payload.');
  const secret = env['SLACK_SIGNING_SECRET'];
  if (!secret)
    throw new UsageError('SLACK_SIGNING_SECRET is missing: set the secret that Bellhop runs with.');
  const payload = readPayload(path);
  const { body, contentType } = bodyOf(fresh ? withFreshIds(payload) : payload);
  const answer = await request(url, {
    method: 'POST',
    body,
    headers: { 'content-type': contentType, ...signature(body, secret) },
    signal: AbortSignal.timeout(10_000),
  }).catch((error: unknown) => {
    throw new Error(`${url} did not answer: is Bellhop running there, over HTTP?`, { cause: error });
  });
  const text = await answer.body.text();
  process.stdout.write(`${answer.statusCode}${text === '' ? '' : ` ${text}`}\n`);
  return answer.statusCode === 200 ? 0 : 1;
});
