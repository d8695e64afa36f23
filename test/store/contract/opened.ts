import { expect } from 'vitest';

import type { Store } from '../../../src/store/store.ts';
import type { Request } from '../../../src/core/request/request.ts';
import { verifyAudit } from '../../../src/store/cli/verify-audit.ts';
import { aProposal, aRequest } from '../sample-request.ts';

/** A database of its own, seen by two stores where it can be: two replicas. */
export interface Opened {
  readonly one: Store;
  readonly other: Store;
  /** Runs a statement behind the store's back. */
  readonly run: (statement: string) => Promise<void>;
  /** What the first store left out of lists: table, row and field of each. */
  readonly unreadable: () => readonly string[];
  /** How many rows a table has. */
  readonly count: (table: string) => Promise<number>;
  /** Takes away what refuses changes to the record, as somebody with the database in hand can. */
  readonly disarm: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function proposed(store: Store, overrides: Partial<Request> = {}): Promise<Request> {
  const request = aRequest(overrides);
  expect(await store.propose(aProposal(request))).toEqual({});
  return request;
}

export async function expectIntact(store: Store): Promise<void> {
  expect(await verifyAudit(store)).toEqual({ intact: true, head: await store.auditHead() });
}

export const idsOf = (requests: readonly Request[]): readonly string[] => requests.map(({ id }) => id);
