import { sameActor } from '../../model/actor.ts';
import { isOpen, type Request, type RequestChanges, type State } from '../../model/request.ts';
import type { Notice } from '../../model/requests.ts';

/** Approvers are reminded when this part of the time is left. */
const reminderPart = 1 / 3;

/** Of a request that begins to wait for an approval. */
export function waitingNotices(
  { id, createdAt, expiresAt }: Pick<Request, 'id' | 'createdAt' | 'expiresAt'>,
  now: number,
): readonly Notice[] {
  const remindAt = Math.round(expiresAt - (expiresAt - createdAt) * reminderPart);
  return [
    { requestId: id, kind: 'waiting', at: now },
    ...(remindAt > now ? [{ requestId: id, kind: 'reminder', at: remindAt } as const] : []),
  ];
}

/** What a step gives to tell. */
export function noticesOf(seen: Request, to: State, changes: RequestChanges, at: number): readonly Notice[] {
  if (to === seen.state) return [];
  if (to === 'awaiting approval') return waitingNotices(seen, at);
  const kind = noticeKind(seen, to, changes);
  if (kind === undefined) return [];
  const hand = changes.outcome?.settledByHand;
  const by = hand?.by ?? (byPerson.has(kind) ? changes.decidedBy : undefined);
  const why = hand?.reason ?? changes.note ?? changes.outcome?.error?.message;
  return [{ requestId: seen.id, kind, at, by, why }];
}

const byPerson: ReadonlySet<Notice['kind']> = new Set<Notice['kind']>(['approved', 'denied', 'replaced']);

function noticeKind(seen: Request, to: State, { decidedBy }: RequestChanges): Notice['kind'] | undefined {
  if (!isOpen(seen.state)) return 'settled';
  switch (to) {
    case 'running':
      return seen.state === 'awaiting approval' ? 'approved' : undefined;
    case 'refused':
      return decidedBy ? 'denied' : 'refused';
    case 'expired':
    case 'failed':
    case 'unknown':
      return to;
    case 'succeeded':
      return seen.outcome?.tasks ? 'done' : undefined;
    case 'cancelled':
      return decidedBy && !sameActor(decidedBy, seen.requester) ? 'replaced' : undefined;
    case 'proposed':
    case 'awaiting approval':
      return undefined;
  }
}
