import { asyncProperty, assert as checked, constantFrom, array, integer } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { leafHash, leafText } from '../../../src/audit/tree/merkle.ts';
import type { Store } from '../../../src/store/store.ts';
import { mayFollow, states } from '../../../src/model/records/request.ts';
import { verifyAudit } from '../../../src/audit/verify/verify-audit.ts';
import { aDraft, aStep } from '../sample-request.ts';
import { expectIntact, type Opened, proposed, sealAll } from './opened.ts';

const move = (from: number, to: number) => `update audit set seq = ${to} where seq = ${from}`;

/** Ways to tamper with ten entries in the database, and what the verification says about each. */
const forgeries: readonly { kind: string; statements: readonly string[]; seq: number; why: RegExp }[] = [
  {
    kind: 'another reason than the person typed',
    statements: [`update audit_reasons set typed = replace(typed, 'reason 4', 'other')`],
    seq: 4,
    why: /^entry 4 was edited: its column reason contradicts it$/,
  },
  {
    kind: 'an edited entry',
    statements: [`update audit set draft = replace(draft, 'note 4', 'other') where seq = 4`],
    seq: 4,
    why: /^entry 4 was edited$/,
  },
  {
    kind: 'a member put in that no entry has',
    statements: [
      `update audit set draft = replace(draft, '"at":', '"approvedBy":"no one","at":') where seq = 4`,
    ],
    seq: 4,
    why: /^entry 4 was edited$/,
  },
  {
    kind: 'an edit that reads alike',
    statements: [`update audit set draft = replace(draft, '"at":', '"at": ') where seq = 4`],
    seq: 4,
    why: /^entry 4 was edited$/,
  },
  {
    kind: 'an entry edited into no entry at all',
    statements: [`update audit set draft = 'x' where seq = 7`],
    seq: 7,
    why: /^entry 7 was edited$/,
  },
  {
    kind: 'a column to search by that says another actor than the entry',
    statements: [`update audit set actor_user = 'U0BOB' where seq = 5`],
    seq: 5,
    why: /^entry 5 was edited: its column actor_user contradicts it$/,
  },
  {
    kind: 'a time to search by that hides the entry',
    statements: [`update audit set latest_at = 0 where seq = 5`],
    seq: 5,
    why: /^entry 5 was edited: its column latest_at contradicts it$/,
  },
  {
    kind: 'a time to search by that is too late',
    statements: [`update audit set latest_at = 1000 where seq = 5`],
    seq: 5,
    why: /^entry 5 was edited: its column latest_at contradicts it$/,
  },
  { kind: 'a removed entry', statements: ['delete from audit where seq = 4'], seq: 4, why: /found 5/ },
  { kind: 'a removed first entry', statements: ['delete from audit where seq = 1'], seq: 1, why: /found 2/ },
  {
    kind: 'a removed entry whose followers moved up',
    statements: ['delete from audit where seq = 9', move(10, 9)],
    seq: 9,
    why: /^entry 9 was edited$/,
  },
  {
    kind: 'an inserted entry',
    statements: [
      move(10, 11),
      `insert into audit select 10, hash, draft, event, at, actor_team, actor_user, target_name, request_id,
       reason_hash, latest_at from audit where seq = 3`,
    ],
    seq: 10,
    why: /^entry 10 was edited$/,
  },
  {
    kind: 'an entry put before the first',
    statements: [
      `insert into audit select 0, hash, draft, event, at, actor_team, actor_user, target_name, request_id,
       reason_hash, latest_at from audit where seq = 3`,
    ],
    seq: 1,
    why: /^expected entry 1, found 0$/,
  },
  {
    kind: 'an entry put as far before the first as there are numbers',
    statements: [
      `insert into audit select -2147483648, hash, draft, event, at, actor_team, actor_user, target_name, request_id,
       reason_hash, 0 from audit where seq = 3`,
    ],
    seq: 1,
    why: /^expected entry 1, found -2147483648$/,
  },
  {
    kind: 'reordered entries',
    statements: [move(5, 50), move(6, 5), move(50, 6)],
    seq: 5,
    why: /^entry 5 was edited$/,
  },
  {
    kind: 'a cut tail',
    statements: ['delete from audit where seq > 8'],
    seq: 9,
    why: /^entries 9 to 10 were removed from the end$/,
  },
];

/** Ten sealed entries. */
export async function recordTen(store: Store): Promise<void> {
  await store.record(
    Array.from({ length: 10 }, (_, index) =>
      aDraft({ at: 100 + index, note: `note ${index + 1}`, reason: `reason ${index + 1}` }),
    ),
  );
  await sealAll(store);
}

export function tamperingContract(stores: () => Opened): void {
  describe('verification', () => {
    it.each(forgeries)('finds $kind', async ({ statements, seq, why }) => {
      const { one, run, disarm } = stores();
      await recordTen(one);
      await disarm();
      for (const statement of statements) await run(statement);
      const verdict = await verifyAudit(one);
      expect(verdict).toMatchObject({ intact: false, seq });
      expect(verdict).toHaveProperty('why', expect.stringMatching(why));
    });

    it('finds entries of another log below its own checkpoint', async () => {
      const { one, run, disarm } = stores();
      await recordTen(one);
      await disarm();
      const leaf = leafHash(leafText(6, '{}')).toString('hex');
      await run(`update audit set draft = '{}', hash = '${leaf}' where seq = 6`);
      expect(await verifyAudit(one)).toMatchObject({ intact: false });
    });

    it('takes an entry of an event that it does not know for one of a newer version', async () => {
      const { one, run } = stores();
      await recordTen(one);
      const draft = '{"at":5,"event":"audited by aliens","policyHash":"p"}';
      await run(`insert into audit_staged (draft, event, at) values ('${draft}', 'audited by aliens', 5)`);
      await expectIntact(one);
    });

    it('holds after any sequence of proposals, steps and notes', async () => {
      const { one, other } = stores();
      const act = array(constantFrom('propose', 'advance', 'lose', 'record'), { maxLength: 12 });
      await checked(
        asyncProperty(act, integer({ min: 0, max: 8 }), async (acts, wish) => {
          let current = await proposed(one);
          for (const [index, kind] of acts.entries()) {
            const store = index % 2 ? one : other;
            const to = states.find((state, at) => at >= wish && mayFollow(current, state));
            if (kind === 'propose') current = await proposed(store);
            if (kind === 'record') await store.record([aDraft({ at: index })]);
            if (kind === 'lose') await store.advance(aStep({ ...current, version: 99 }, 'cancelled'));
            if (kind === 'advance' && to) current = (await store.advance(aStep(current, to))) ?? current;
          }
        }),
        { numRuns: 15, seed: 5 },
      );
      await sealAll(one);
      expect(await verifyAudit(one)).toMatchObject({ intact: true });
    });
  });
}
