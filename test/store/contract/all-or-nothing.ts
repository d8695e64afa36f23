import { describe, expect, it } from 'vitest';

import type { Step } from '../../../src/model/records/requests.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { tables } from '../../../src/store/database/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { alice, bob } from '../../people.ts';
import { aDraft, aProposal, aRequest, aStep } from '../sample-request.ts';
import { keys, type Opened, proposed, sealAll } from './opened.ts';

const names = [...Object.keys(tables), 'deliveries where until is not null'];

/** The number of rows of each table, and the number of held deliveries. */
async function counts({ count }: Opened): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const table of names) rows.push(`${table} ${await count(table)}`);
  return rows;
}

const closed: string[] = [];
const delivery = { key: 'a click', by: 'me', closed: () => void closed.push('a click') };

/** Records a payload with a person who waits for the step. */
const record = async ({ one }: Opened): Promise<void> => {
  closed.length = 0;
  const now = Date.now();
  const waiting = { actor: alice, channel: 'C0OPS', what: 'your click', at: now };
  await one.claimOnce(delivery.key, now, 900_000, { by: 'me', now, forMs: 15_000, waiting });
};

/** A step with everything that a step may write: entries with a typed reason, notices, a deadline, a card. */
const full = (before: Request, to: Step['to'], rest: Partial<Step> = {}): Step =>
  aStep(before, to, {
    at: Date.now(),
    audit: [
      aDraft({ event: 'confirmed', requestId: before.id, outcome: to, reason: 'typed' }),
      aDraft({ event: 'started', requestId: before.id, outcome: to }),
    ],
    notices: [{ requestId: before.id, kind: 'waiting', at: 5 }],
    closes: delivery,
    ...rest,
  });

const review = { rule: 'r', approvers: ['leads'] };

interface Lost {
  /** Prepares the store. Resolves to the call that must lose. */
  readonly prepare: (opened: Opened) => Promise<(store: Store) => Promise<unknown>>;
  /** The result of the losing call. */
  readonly result: unknown;
}

const running = async ({ one }: Opened, rest: Partial<Step> = {}): Promise<Request> => {
  const request = await proposed(one);
  const started = await one.advance(full(request, 'running', rest));
  if (!started) throw new Error('the request did not start');
  return started;
};

const lost: Readonly<Record<string, Lost>> = {
  'a step of a version that is gone': {
    async prepare({ one }) {
      const request = await proposed(one);
      await one.advance(aStep(request, 'awaiting approval'));
      return (store) => store.advance(full({ ...request, state: 'awaiting approval' }, 'running'));
    },
    result: undefined,
  },
  'a step from a state that is gone': {
    async prepare({ one }) {
      const request = await proposed(one);
      const cancelled = await one.advance(aStep(request, 'cancelled'));
      return (store) => store.advance(full({ ...request, version: cancelled?.version ?? 0 }, 'running'));
    },
    result: undefined,
  },
  'a step of a request that does not exist': {
    prepare: async () => (store) => store.advance(full(aRequest(), 'cancelled')),
    result: undefined,
  },
  'the end of what still holds its lease': {
    async prepare(opened) {
      const request = await running(opened, { leaseMs: 60_000 });
      return (store) => store.advance(full(request, 'unknown', { leaseOver: true }));
    },
    result: undefined,
  },
  'a start that its check does not admit': {
    async prepare({ one }) {
      const request = await proposed(one);
      const check = { of: [{ since: 0, limit: 1 }], admits: () => false };
      return (store) => store.advance(full(request, 'running', { check }));
    },
    result: undefined,
  },
  'a proposal whose target has an open request': {
    async prepare({ one }) {
      const { targetKey } = await proposed(one, { id: 'r-open' });
      return async (store) =>
        (
          await store.propose(
            aProposal(aRequest({ targetKey }), { audit: [aDraft({ reason: 'typed' })], closes: delivery }),
          )
        ).conflict?.id;
    },
    result: 'r-open',
  },
  'a second proposal of one press': {
    async prepare({ one }) {
      const press = { key: 'a press', freeBefore: 0 };
      await one.propose(aProposal(aRequest({ id: 'r-pressed' }), { press }));
      return async (store) =>
        (await store.propose(aProposal(aRequest(), { press, audit: [aDraft()], closes: delivery }))).conflict
          ?.id;
    },
    result: 'r-pressed',
  },
  'a proposal that would replace what was replaced': {
    async prepare({ one }) {
      const older = await proposed(one);
      await one.advance(aStep(older, 'cancelled'));
      const { targetKey } = await proposed(one, { id: 'r-other', targetKey: older.targetKey });
      return async (store) => {
        const supersedes = full(older, 'cancelled');
        return (
          await store.propose(
            aProposal(aRequest({ targetKey }), { supersedes, audit: [aDraft()], closes: delivery }),
          )
        ).conflict?.id;
      };
    },
    result: 'r-other',
  },
  'a review that is closed already': {
    async prepare(opened) {
      const { id: requestId } = await running(opened, { changes: { review } });
      const closing = { requestId, by: bob, at: 5, word: 'fine', audit: [aDraft({ reason: 'typed' })] };
      await opened.one.closeReview(closing);
      return (store) => store.closeReview(closing);
    },
    result: undefined,
  },
};

interface Refused {
  /** An index that one part of the write violates. */
  readonly index: string;
  readonly prepare: (opened: Opened) => Promise<(store: Store) => Promise<unknown>>;
}

const refused: Readonly<Record<string, Refused>> = {
  'a step with an entry that is refused': {
    index: 'audit_staged (request_id)',
    async prepare({ one }) {
      const request = await proposed(one);
      return (store) => store.advance(full(request, 'running'));
    },
  },
  'a step with due work that is refused': {
    index: 'due (kind)',
    async prepare({ one }) {
      const request = await proposed(one);
      return (store) =>
        store.advance(
          full(request, 'running', {
            notices: [
              { requestId: request.id, kind: 'waiting', at: 5 },
              { requestId: request.id, kind: 'reminder', at: 6 },
            ],
          }),
        );
    },
  },
  'a step with a reason that is refused': {
    index: 'audit_reasons (substr(typed, 34))',
    async prepare({ one }) {
      const request = await proposed(one);
      await one.record([aDraft({ reason: 'typed' })]);
      return (store) => store.advance(full(request, 'running'));
    },
  },
  'a proposal with an entry that is refused': {
    index: 'audit_staged (event)',
    prepare: async () => (store) =>
      store.propose(
        aProposal(aRequest(), { audit: [aDraft({ reason: 'typed' }), aDraft()], closes: delivery }),
      ),
  },
  'a seal with an entry that is refused': {
    index: 'audit (event)',
    async prepare({ one }) {
      await one.record([aDraft(), aDraft()]);
      return (store) => store.seal(keys, 5);
    },
  },
  'a seal with a checkpoint that is refused': {
    index: 'audit_checkpoints (at)',
    async prepare({ one }) {
      await one.record([aDraft()]);
      await sealAll(one, 5);
      await one.record([aDraft()]);
      return (store) => store.seal(keys, 5);
    },
  },
};

export function allOrNothingContract(stores: () => Opened): void {
  describe('nothing is written anywhere by', () => {
    it.each(Object.entries(lost))('%s, which is reported', async (_, { prepare, result }) => {
      const opened = stores();
      const lose = await prepare(opened);
      await record(opened);
      const before = await counts(opened);
      expect(await lose(opened.other)).toEqual(result);
      expect(await counts(opened)).toEqual(before);
      expect(closed).toEqual([]);
    });

    it.each(Object.entries(refused))('%s', async (_, { index, prepare }) => {
      const opened = stores();
      const act = await prepare(opened);
      await record(opened);
      const before = await counts(opened);
      await opened.run(`create unique index refused on ${index}`);
      await expect(act(opened.other)).rejects.toMatchObject({ code: 'store-unavailable' });
      expect(await counts(opened)).toEqual(before);
      expect(closed).toEqual([]);
      await opened.run('drop index refused');
      await act(opened.other);
      expect(await counts(opened)).not.toEqual(before);
    });
  });
}
