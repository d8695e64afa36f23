import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { EventBus, Listener, NumberedEvent } from '../event-bus.ts';

const KEEP_ALIVE_MS = 15_000;

/** Streams events to a page, starting after the last one it got. A page that may have missed events reloads first. */
export function streamEvents(c: Context, bus: EventBus, listener: Listener): Response {
  const after = c.req.header('last-event-id') ?? c.req.query('after') ?? bus.lastId();
  c.header('cache-control', 'no-store');
  return streamSSE(c, async (stream) => {
    let written: Promise<unknown> = Promise.resolve();
    const write = ({ id, event }: NumberedEvent) => {
      written = written.then(() => stream.writeSSE({ id, event: event.type, data: JSON.stringify(event) }));
    };
    const unsubscribe = bus.subscribe(listener, write);
    const missed = bus.since(after, listener);
    if (missed === undefined) write({ id: bus.lastId(), event: { type: 'reload' } });
    else missed.forEach(write);
    const alive = setInterval(() => void stream.write(': alive\n\n'), KEEP_ALIVE_MS);
    await new Promise<void>((resolve) => {
      stream.onAbort(resolve);
    });
    clearInterval(alive);
    unsubscribe();
  });
}
