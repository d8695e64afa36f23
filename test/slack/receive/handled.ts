import type { App, Receiver } from '@slack/bolt';
import { expect } from 'vitest';

import { createApp } from '../../../src/slack/app.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import type { Click, ReceivedContext } from '../../../src/slack/receive/dispatch.ts';
import { type HandledPayload, readPayload } from '../../../src/slack/receive/payloads.ts';

const accept = () => Promise.resolve({ first: true, done: () => undefined });

/** A payload as Bolt gets it: read once, from a person, with its context. */
export function received(payload: object): {
  readonly body: HandledPayload['body'];
  readonly context: ReceivedContext;
} {
  const read = readPayload(payload, 'T0LOCAL');
  if (!('body' in read)) return expect.fail(`read as ${read.kind}`);
  const { body, message, sender } = read;
  const { actor, place, press, responseUrl, clicked } = sender;
  const caller = { actor, place, press, correlationId: 'c-1' };
  return { body, context: { caller, responseUrl, clicked, message, accept } };
}

/** Gives a parsed payload the type of Bolt's listeners. */
export function clickOn(payload: { readonly actions: readonly unknown[] }): Click {
  const [action] = payload.actions;
  return { ...received(payload), action } as unknown as Click;
}

/** Sends a payload through the app. Resolves to its acknowledgements. */
export async function sendThrough(context: SlackContext, payload: object): Promise<readonly unknown[]> {
  let app: App | undefined;
  const receiver: Receiver = {
    init(bolt) {
      app = bolt;
    },
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
  // Contexts of the core have no parts of features for Slack.
  const none = { offers: [], buttons: {}, forms: {} };
  const slack: SlackContext = Object.assign(none, context);
  createApp({ receiver, botToken: () => 'xoxb-test', botUserId: 'U0BELLHOP', context: slack });
  const { body, context: customProperties } = received(payload);
  const answers: unknown[] = [];
  const ack = (answer: unknown) => Promise.resolve(void answers.push(answer));
  await app?.processEvent({ body, customProperties, ack });
  return answers;
}
