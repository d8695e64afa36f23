import type { WorkspaceEvent } from './protocol.ts';

/** The recipients of an event: everyone, some people, or one open page. */
type Audience = { readonly users?: readonly string[]; readonly session?: string };
export interface Listener {
  readonly user: string;
  readonly session: string;
}
export interface NumberedEvent {
  readonly id: string;
  readonly event: WorkspaceEvent;
}

/** Sends events to open pages, and keeps the latest ones for pages that reconnect. */
export interface EventBus {
  publish(event: WorkspaceEvent, audience?: Audience): void;
  /** Id of the newest event. */
  lastId(): string;
  /** Events after `id` for this page, or undefined if some may be missing. */
  since(id: string, listener: Listener): NumberedEvent[] | undefined;
  subscribe(listener: Listener, receive: (event: NumberedEvent) => void): () => void;
}

const KEPT = 1_000;

/** @param run names this run of the workspace, so that ids of an earlier one are recognised */
export function createEventBus(run: string): EventBus {
  const kept: { number: number; event: WorkspaceEvent; audience: Audience }[] = [];
  const listeners = new Map<(event: NumberedEvent) => void, Listener>();
  let last = 0;
  const idOf = (number: number) => `${run}-${number}`;
  return {
    publish(event, audience = {}) {
      last += 1;
      kept.push({ number: last, event, audience });
      if (kept.length > KEPT) kept.shift();
      for (const [receive, listener] of listeners)
        if (isFor(audience, listener)) receive({ id: idOf(last), event });
    },
    lastId: () => idOf(last),
    since(id, listener) {
      const number = id.startsWith(`${run}-`) ? Number(id.slice(run.length + 1)) : Number.NaN;
      const oldest = kept[0]?.number ?? last + 1;
      if (!Number.isInteger(number) || number > last || number < oldest - 1) return undefined;
      return kept
        .filter((one) => one.number > number && isFor(one.audience, listener))
        .map((one) => ({ id: idOf(one.number), event: one.event }));
    },
    subscribe(listener, receive) {
      listeners.set(receive, listener);
      return () => listeners.delete(receive);
    },
  };
}

function isFor(audience: Audience, listener: Listener): boolean {
  return (
    (audience.users === undefined || audience.users.includes(listener.user)) &&
    (audience.session === undefined || audience.session === listener.session)
  );
}
