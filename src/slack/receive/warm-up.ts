import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';

import { createReceiver, eventsPath, type ReceiverOptions } from './server.ts';

const shortText = 'warm-up';

/** In milliseconds. */
const withinMs = 1_000;

/**
 * Acknowledges a made-up command in memory, so that V8 has compiled the code before a person's first command. It does not reach the store,
 * the metrics, the log or Slack. Never rejects.
 */
export async function warmUp(options: ReceiverOptions): Promise<void> {
  const secret = randomBytes(24).toString('hex');
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const receiver = createReceiver({
    ...options,
    log: silent,
    signingSecrets: () => [secret],
    // A repeated delivery is acknowledged and not handled.
    inbox: { accept: () => Promise.resolve({ first: false, done: () => undefined }) },
    routes: {},
    onAnswer: undefined,
    onSignature: undefined,
  });
  const [ours, theirs] = duplexPair();
  try {
    receiver.serve(theirs);
    ours.write(signedCommand(secret, options.clock.now()));
    await once(ours, 'data', { signal: AbortSignal.timeout(withinMs) });
  } catch {
    // The first command only takes longer.
  } finally {
    ours.destroy();
    theirs.destroy();
    await receiver.close();
  }
}

function signedCommand(secret: string, now: number): string {
  const body = new URLSearchParams({
    command: '/bellhop',
    text: shortText,
    team_id: shortText,
    user_id: shortText,
    channel_id: shortText,
    trigger_id: shortText,
    response_url: '',
  }).toString();
  const timestamp = String(Math.floor(now / 1000));
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return [
    `POST ${eventsPath} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    `X-Slack-Request-Timestamp: ${timestamp}`,
    `X-Slack-Signature: v0=${digest}`,
    `\r\n${body}`,
  ].join('\r\n');
}
