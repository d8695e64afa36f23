import type { DueWork } from '../../src/model/records/due.ts';
import { notice, type Notice } from '../../src/model/records/requests.ts';
import { noticeKind } from '../../src/model/records/requests.ts';

/** Claims the due notices and marks them as posted, so that each is returned once. */
export async function tellNotices(store: DueWork, now: number): Promise<readonly Notice[]> {
  const due = await store.claimDue(new Map([[noticeKind, 20]]), now, 60_000);
  for (const one of due) await store.finishDue(one, { done: true }, now);
  return due.map(({ about }) => notice.parse(about)).toSorted((one, other) => one.at - other.at);
}
