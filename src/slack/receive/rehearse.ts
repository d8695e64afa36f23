import { createHmac, randomBytes } from 'node:crypto';

import { Agent, request } from 'undici';

import { createBackgroundTasks } from '../../core/background-tasks.ts';
import type { Clock, Log } from '../../core/model/ports.ts';
import { createInbox } from './inbox.ts';
import { createReceiver } from './server.ts';

/** After so many, an ack takes no longer than the one before it. */
const times = 20;

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Remembers nothing. */
const nowhere = {
  claimOnce: () => Promise.resolve(true),
  holdDeliveries: () => Promise.resolve(),
  closeDeliveries: () => Promise.resolve(),
};

/**
 * Sends signed commands to a receiver of its own, behind which there is nothing: no store, no app, no metrics, no log. Node
 * compiles and sets up on first use, and the first person to ask is not to wait for that.
 * @throws where this machine cannot reach itself
 */
export async function rehearse(clock: Clock): Promise<void> {
  const signingSecret = randomBytes(32).toString('hex');
  const receiver = createReceiver({
    signingSecret,
    clock,
    logger: silent,
    backgroundTasks: createBackgroundTasks(clock, silent),
    inbox: createInbox({ store: nowhere, clock, log: silent }),
    routes: {},
  });
  const dispatcher = new Agent();
  try {
    const port = await receiver.start({ host: '127.0.0.1', port: 0 });
    for (let time = 0; time < times; time += 1) {
      const command = signedCommand(signingSecret, Math.floor(clock.now() / 1000));
      const reply = await request(`http://127.0.0.1:${port}/slack/events`, {
        dispatcher,
        method: 'POST',
        ...command,
      });
      await reply.body.dump();
      if (reply.statusCode !== 200) throw new Error(`a rehearsal was answered with ${reply.statusCode}`);
    }
  } finally {
    await dispatcher.destroy();
    await receiver.close();
  }
}

function signedCommand(signingSecret: string, seconds: number) {
  const body = new URLSearchParams({
    command: '/rehearsal',
    text: '',
    team_id: 'T0',
    user_id: 'U0',
    channel_id: 'C0',
    trigger_id: 'rehearsal',
    response_url: 'https://hooks.slack.com/commands/T0/0/rehearsal',
  }).toString();
  const digest = createHmac('sha256', signingSecret).update(`v0:${seconds}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(seconds),
    'x-slack-signature': `v0=${digest}`,
  };
  return { headers, body };
}
