import type { DueKind, DueWork, Handler } from '../../src/model/records/due.ts';

/** Claims the due work of these handlers once and does it, as the queue does. Resolves to how much was due. */
export async function workDue(
  store: Pick<DueWork, 'claimDue' | 'finishDue'>,
  now: number,
  ...handlers: readonly Handler[]
): Promise<number> {
  const byKind = new Map<DueKind, Handler>(handlers.map((handler) => [handler.kind, handler]));
  const due = await store.claimDue(new Map([...byKind.keys()].map((kind) => [kind, 100])), now, 30_000);
  for (const one of due) {
    const handler = byKind.get(one.kind);
    if (handler) await store.finishDue(one, await handler.handle(one), now);
  }
  return due.length;
}
