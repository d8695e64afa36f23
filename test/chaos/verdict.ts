import type { Store } from '../../src/core/ports.ts';
import { isOpen, type Request } from '../../src/core/request.ts';
import { verifyAudit } from '../../src/store/verify-audit.ts';
import { buttonsOf, type Message } from '../program/workspace-page.ts';

/** What was found after a batch, each fault in words. */
export interface Verdict {
  readonly requests: number;
  readonly changes: number;
  readonly executedTwice: readonly string[];
  readonly withoutEnd: readonly string[];
  /** Rows that say something else than what the service saw. */
  readonly toldWrongly: readonly string[];
  /** Cards that do not show their row. */
  readonly staleCards: readonly string[];
  /** Second cards that a crash left behind, whose buttons nobody pressed. */
  readonly strays: number;
  /** Empty where the chain is intact. */
  readonly chain: string;
}

/** @param changes how often the service was sent a change, by `X-Request-Id` */
export async function judgeBatch(
  store: Store,
  changes: ReadonlyMap<string, number>,
  messages: ReadonlyMap<string, Message>,
): Promise<Verdict> {
  const rows = await store.list({ limit: 100_000 });
  const known = new Map(rows.map((row) => [row.correlationId, row]));
  const verified = await verifyAudit(store);
  const cards = new Set(rows.flatMap(({ card }) => (card ? [card.ts] : [])));
  return {
    requests: rows.length,
    changes: [...changes.values()].reduce((sum, times) => sum + times, 0),
    executedTwice: [...changes].flatMap(([id, times]) => (times > 1 ? [`${id}: ${times} times`] : [])),
    withoutEnd: rows.flatMap(({ id, state }) => (isOpen(state) ? [`${id} is ${state}`] : [])),
    toldWrongly: [
      ...[...changes.keys()].flatMap((id) => (known.has(id) ? [] : [`${id} belongs to no request`])),
      ...rows.flatMap((row) => contradiction(row, changes.get(row.correlationId) ?? 0)),
      ...(await startedTwice(store)),
    ],
    staleCards: rows.flatMap((row) => stale(row, messages)),
    strays: [...messages.values()].filter(
      ({ ts, ephemeral, text }) => !ephemeral && !cards.has(ts) && / r-[a-z0-9]{10}/u.test(text),
    ).length,
    chain: verified.intact ? '' : verified.why,
  };
}

function contradiction({ id, state, outcome }: Request, sent: number): string[] {
  const saysNothingSent =
    ['cancelled', 'expired', 'refused'].includes(state) || outcome?.error?.code === 'not-sent';
  if (saysNothingSent && sent > 0) return [`${id} is ${state} and was sent`];
  if (state === 'succeeded' && sent === 0) return [`${id} is ${state} and was never sent`];
  return [];
}

async function startedTwice(store: Store): Promise<readonly string[]> {
  const started = new Map<string, number>();
  const page = 5000;
  for (let after = 0; ;) {
    const entries = await store.auditFrom(after, page);
    for (const { event, requestId = '' } of entries)
      if (event === 'started') started.set(requestId, (started.get(requestId) ?? 0) + 1);
    if (entries.length < page) break;
    after = entries.at(-1)?.seq ?? after;
  }
  return [...started].flatMap(([id, times]) => (times > 1 ? [`${id} was started ${times} times`] : []));
}

function stale({ id, state, card }: Request, messages: ReadonlyMap<string, Message>): string[] {
  if (!card) return [`${id} (${state}) has no card`];
  const shown = messages.get(card.ts);
  if (!shown) return [`the card of ${id} is no message`];
  if (!shown.text.includes(`: ${state}`)) return [`${id} is ${state}, its card says “${shown.text}”`];
  const buttons = buttonsOf(shown).filter((button) => button !== 'Ask again');
  return !isOpen(state) && buttons.length > 0 ? [`${id} is ${state} and offers ${buttons.join(', ')}`] : [];
}
