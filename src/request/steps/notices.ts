import type { AfterRule, Made } from '../../model/after.ts';
import type { DueDraft } from '../../model/records/due.ts';
import { isOpen, type Request, type RequestChanges, type State } from '../../model/records/request.ts';
import { begunAt, hasParts } from '../../model/records/whole.ts';
import { type Notice, noticeKind } from '../../model/records/requests.ts';
import { sameActor } from '../../model/values/actor.ts';

/** Each request has at most one unposted notice of a kind. The next notice of that kind replaces it. */
export const noticeDue = (notice: Notice, version = 1): DueDraft => ({
  kind: noticeKind,
  key: `${notice.requestId} ${notice.kind}`,
  version,
  at: notice.at,
  about: notice,
});

export const noticeRule: AfterRule = {
  due: (row, made) =>
    (made.notices ?? noticesAfter(row, made)).map((notice) => noticeDue(notice, row.version)),
};

const reminderPart = 1 / 3;

function waitingNotices({ id, createdAt, expiresAt }: Request, { changes, at }: Made): readonly Notice[] {
  // A step that sets a new expiry starts the wait again.
  const since = changes?.expiresAt === undefined ? createdAt : at;
  const remindAt = Math.round(expiresAt - (expiresAt - since) * reminderPart);
  return [
    { requestId: id, kind: 'waiting', at },
    ...(remindAt > at ? [{ requestId: id, kind: 'reminder', at: remindAt } as const] : []),
  ];
}

export function noticesAfter(row: Request, made: Made): readonly Notice[] {
  const { before, changes = {}, at } = made;
  if (row.state === before?.state) return [];
  if (row.state === 'awaiting approval') return waitingNotices(row, made);
  const kind = before && kindAfter(before, row.state, changes);
  if (kind === undefined) return [];
  const hand = changes.outcome?.settledByHand;
  const by = hand?.by ?? (byPerson.has(kind) ? changes.decidedBy : undefined);
  const { error } = changes.outcome ?? {};
  const why = hand?.reason ?? (changes.note || (error?.summary ?? error?.message));
  return [{ requestId: row.id, kind, at, by, why }];
}

const byPerson: ReadonlySet<Notice['kind']> = new Set<Notice['kind']>([
  'approved',
  'denied',
  'replaced',
  'stopped',
]);

function kindAfter(seen: Request, to: State, { decidedBy }: RequestChanges): Notice['kind'] | undefined {
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
      return seen.outcome?.tasks || hasParts(seen) ? 'done' : undefined;
    case 'cancelled':
      if (begunAt(seen) === undefined)
        return decidedBy && !sameActor(decidedBy, seen.requester) ? 'replaced' : undefined;
      return decidedBy && sameActor(decidedBy, seen.requester) ? undefined : 'stopped';
    case 'proposed':
    case 'awaiting approval':
      return undefined;
  }
}
