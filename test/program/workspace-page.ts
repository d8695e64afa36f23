import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

import { request } from 'undici';
import { z } from 'zod';

import type { Workspace } from '../../playground/workspace/start-workspace.ts';
import {
  type DrawnView,
  type Message,
  type State,
  stateSchema,
} from '../../playground/workspace/protocol.ts';
import { patienceMs, until } from '../until.ts';

export type { Message } from '../../playground/workspace/protocol.ts';

const outcomeSchema = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
export type Outcome = z.output<typeof outcomeSchema>;

type Address = Pick<Workspace, 'url'>;

const session = 'stage';

/** The page's state as a person sees it. */
export async function lookAt(workspace: Address, as: string): Promise<State> {
  const response = await fetch(`${workspace.url}/_workspace/state?as=${as}&session=${session}`);
  return stateSchema.parse(await response.json());
}

/** Whether the page shows something else after this event. */
const isNews = (line: string): boolean => /^event: (?!wire$|drills$|toast$)/u.test(line);

/** The events of a page that shows this state. */
async function eventsAfter({ url }: Address, { as, event_id: after }: State) {
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(patienceMs)]);
  const query = new URLSearchParams({ as, session, after }).toString();
  const { body } = await request(`${url}/_workspace/events?${query}`, { signal, bodyTimeout: 0 });
  let news = Promise.withResolvers<void>();
  let ended = false;
  const end = (): void => {
    ended = true;
    news.resolve();
  };
  body.on('error', end);
  createInterface({ input: Readable.from(body) })
    .on('line', (line) => isNews(line) && news.resolve())
    .on('error', end)
    .on('close', end);
  return {
    /** Resolves once an event has arrived since the last call, or once there are no more events. */
    async next(): Promise<void> {
      await news.promise;
      if (!ended) news = Promise.withResolvers();
    },
    ended: () => ended,
    close: () => abort.abort(),
  };
}

/** Waits for something that a person sees. Reads the page again after each event, as the page does. */
async function see<T>(
  workspace: Address,
  as: string,
  find: (state: State) => T | undefined,
  explain?: () => string,
): Promise<T> {
  let state = await lookAt(workspace, as);
  let events: Awaited<ReturnType<typeof eventsAfter>> | undefined;
  const ask = async (): Promise<T | undefined> => {
    if (events) state = await lookAt(workspace, as);
    return find(state);
  };
  const next = async (): Promise<void> => {
    if (!events || events.ended()) events = await eventsAfter(workspace, state);
    await events.next();
  };
  try {
    return await until(ask, explain, next);
  } finally {
    events?.close();
  }
}

/** Sends a person's action. `name` is a gesture of the page. */
export async function gesture(workspace: Address, name: string, body: object): Promise<Outcome> {
  const response = await fetch(`${workspace.url}/_workspace/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: workspace.url },
    body: JSON.stringify({ session, ...body }),
  });
  return outcomeSchema.parse(await response.json());
}

/** The texts of a message's buttons. */
export const buttonsOf = (message: Message): readonly string[] =>
  buttonElements(message).map(({ text }) => text.text);

const elementsSchema = z.looseObject({
  accessory: z.unknown().optional(),
  elements: z.array(z.unknown()).default([]),
});

/** The buttons, menus and links of a message. */
export const elementsOf = ({ blocks }: Message): readonly { block_id: string; element: unknown }[] =>
  blocks.flatMap((block) => {
    const { accessory, elements } = elementsSchema.parse(block);
    return [accessory, ...elements].map((element) => ({ block_id: block.block_id, element }));
  });

const buttonSchema = z.object({
  type: z.literal('button'),
  action_id: z.string(),
  value: z.string().optional(),
  text: z.object({ text: z.string() }),
});

const buttonElements = (message: Message) =>
  elementsOf(message).flatMap(({ block_id, element }) => {
    const { data } = buttonSchema.safeParse(element);
    return data ? [{ block_id, ...data }] : [];
  });

/**
 * The gesture of pressing the button with this text.
 * @param now the message after an edit, which gave its blocks new ids
 */
export function clickOn(as: string, message: Message, button: string, now = message): object {
  const seen = buttonElements(message).find(({ text }) => text.text === button);
  if (!seen)
    throw new Error(`“${message.text}” has no button “${button}”, only: ${buttonsOf(message).join(', ')}`);
  const found =
    buttonElements(now).find((one) => one.action_id === seen.action_id && one.value === seen.value) ?? seen;
  return {
    as,
    container: { type: 'message', channel: message.channel, ts: message.ts },
    block_id: found.block_id,
    action_id: found.action_id,
    value: { type: 'button' },
  };
}

const ops = 'C0OPS';

/** Bellhop's message if an answer takes longer than 2 s. */
const looking = '👀 Looking…';

/** The messages of a channel without pending answers. */
const messagesIn = ({ channels }: State, channel = ops): readonly Message[] =>
  (channels.find(({ id }) => id === channel)?.messages ?? []).filter(({ text }) => text !== looking);

/** People who work on the page of a workspace. */
export interface People {
  /** Types in a channel as a person does. */
  say(as: string, text: string, channel?: string): Promise<Outcome>;
  /** Presses the button of a message with this text. */
  press(as: string, message: Message, button: string): Promise<Outcome>;
  /** The messages that a person sees in a channel, oldest first, except for pending answers. */
  messages(as: string, channel?: string): Promise<readonly Message[]>;
  /** The forms that a person has open. */
  modals(as: string): Promise<readonly DrawnView[]>;
  /** Waits for a message that fits. */
  seen(as: string, fits: (message: Message) => boolean, channel?: string): Promise<Message>;
}

/** @param explain further text for the error of a wait that found nothing */
export function peopleAt(workspace: Address, explain?: () => string): People {
  const messages = async (as: string, channel?: string): Promise<readonly Message[]> =>
    messagesIn(await lookAt(workspace, as), channel);
  return {
    say: (as, text, channel = ops) => gesture(workspace, 'send', { as, channel, text }),
    press: async (as, message, button) => {
      for (let copy = message; ;) {
        const outcome = await gesture(workspace, 'action', clickOn(as, message, button, copy));
        const now = (await messages(as, message.channel)).find(({ ts }) => ts === message.ts);
        // An edit in between gave the button another id.
        if (outcome.ok || !now || JSON.stringify(now.blocks) === JSON.stringify(copy.blocks)) return outcome;
        copy = now;
      }
    },
    messages,
    modals: async (as) => (await lookAt(workspace, as)).modals,
    seen: (as, fits, channel) =>
      see(workspace, as, (state) => messagesIn(state, channel).findLast(fits), explain),
  };
}
