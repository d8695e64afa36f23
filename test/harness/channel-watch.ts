import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

import { request } from 'undici';
import { z } from 'zod';

import type { Workspace } from '../../playground/workspace/start-workspace.ts';
import { messageSchema, type Message } from '../../playground/workspace/protocol.ts';

/** Follows a channel, like a person who never looks away. */
export interface ChannelWatch {
  /** All messages as they are now, by `ts`. */
  readonly messages: ReadonlyMap<string, Message>;
  /** Resolves to the first message that fits, now or later. Resolves to undefined after `ms`. */
  first(fits: (message: Message) => boolean, ms: number): Promise<Message | undefined>;
  close(): void;
}

const eventSchema = z.looseObject({ type: z.string(), message: messageSchema.optional() });

interface Waiting {
  readonly fits: (message: Message) => boolean;
  readonly found: (message: Message) => void;
}

export async function watchChannels(workspace: Workspace, as: string): Promise<ChannelWatch> {
  const abort = new AbortController();
  const { body } = await request(`${workspace.url}/_workspace/events?as=${as}&session=watch`, {
    signal: abort.signal,
    bodyTimeout: 0,
  });
  const messages = new Map<string, Message>();
  const waiting = new Set<Waiting>();
  const take = (line: string): void => {
    if (!line.startsWith('data: {"type":"message') && !line.startsWith('data: {"type":"ephemeral')) return;
    const { message } = eventSchema.parse(JSON.parse(line.slice('data: '.length)));
    if (!message) return;
    messages.set(message.ts, message);
    for (const one of waiting) if (one.fits(message)) one.found(message);
  };
  createInterface({ input: Readable.from(body) })
    .on('line', take)
    // The end of the stream is the end of the watch.
    .on('error', () => undefined);
  body.on('error', () => undefined);
  return {
    messages,
    first(fits, ms) {
      const there = [...messages.values()].findLast(fits);
      if (there) return Promise.resolve(there);
      return new Promise((resolve) => {
        const end = (message: Message | undefined): void => {
          clearTimeout(timer);
          waiting.delete(one);
          resolve(message);
        };
        const one: Waiting = { fits, found: end };
        const timer = setTimeout(() => end(undefined), ms);
        waiting.add(one);
      });
    },
    close: () => abort.abort(),
  };
}
