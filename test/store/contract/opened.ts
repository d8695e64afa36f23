import { expect } from 'vitest';

import { type LogKeys, makeSigningKey } from '../../../src/audit/tree/signing-key.ts';
import { verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { type Due, type DueDraft, dueKind } from '../../../src/model/records/due.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { verifyAudit } from '../../../src/audit/verify/verify-audit.ts';
import { aProposal, aRequest } from '../sample-request.ts';

/** A database that no other test uses at the same time. If possible, two stores use it, like two replicas. */
export interface Opened {
  readonly one: Store;
  readonly other: Store;
  /** Runs a statement behind the store's back. */
  readonly run: (statement: string) => Promise<void>;
  /** The rows that the first store skipped in lists: table, row and field of each. */
  readonly unreadable: () => readonly string[];
  /** How many rows a table has. */
  readonly count: (table: string) => Promise<number>;
  /** Removes the triggers that reject changes of the log, as a person with access to the database can. */
  readonly disarm: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function proposed(store: Store, overrides: Partial<Request> = {}): Promise<Request> {
  const request = aRequest(overrides);
  expect(await store.propose(aProposal(request))).toEqual({});
  return request;
}

/** The tables that hold the sealed log. */
export const sealedTables = ['audit', 'audit_nodes', 'audit_checkpoints'];

/** The key that seals in these tests. */
export const keys: LogKeys = [makeSigningKey('bellhop.test/audit')];

/** The key that verifies it. */
export const verifiers = [verifierOf(keys[0], keys[0].name)];

/** Seals all that waits. */
export async function sealAll(
  store: Pick<Store, 'seal'>,
  now = 0,
  by = keys,
  due: readonly DueDraft[] = [],
): Promise<void> {
  for (let more = true; more;) more = (await store.seal(by, now, undefined, due))?.more ?? false;
}

/** Seals all that waits, and verifies the log. */
export async function expectIntact(store: Store): Promise<void> {
  await sealAll(store);
  const size = (await store.newestCheckpoint())?.size ?? 0;
  expect(await verifyAudit(store, { keys: verifiers })).toEqual({ intact: true, size });
}

/** The number of entries, sealed or not. */
export const entryCount = async (store: Store): Promise<number> => (await store.auditFrom(0, 10_000)).length;

/** Advances the clock that the database uses for due work by this many milliseconds. */
export async function pass({ run }: Pick<Opened, 'run'>, ms: number): Promise<void> {
  await run(`update due set at = at - ${ms}, since = since - ${ms}, set_at = set_at - ${ms}`);
  await run(`update deliveries set until = until - ${ms}, set_at = set_at - ${ms}`);
}

/** The due work of a kind, claimed for `claimMs`. */
export const claim = (
  store: Pick<Store, 'claimDue'>,
  kind: string,
  limit = 10,
  claimMs = 100_000,
): Promise<readonly Due[]> => store.claimDue(new Map([[dueKind(kind), limit]]), Date.now(), claimMs, true);

/** The keys of the due work of a kind. */
export const claimed = async (...given: Parameters<typeof claim>): Promise<readonly string[]> =>
  (await claim(...given)).map(({ key }) => key);

export const idsOf = (requests: readonly Pick<Request, 'id'>[]): readonly string[] =>
  requests.map(({ id }) => id);
