import { describe, expect, it } from 'vitest';

import { openCheckpoint, type SignedCheckpoint } from '../../../src/audit/tree/checkpoint.ts';
import { leafHash, leafText } from '../../../src/audit/tree/merkle.ts';
import { verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { makeSigningKey } from '../../../src/audit/tree/signing-key.ts';
import type { Store } from '../../../src/store/store.ts';
import { verifyAudit } from '../../../src/audit/verify/verify-audit.ts';
import { aDraft } from '../sample-request.ts';
import { keys, type Opened, sealAll, sealedTables, verifiers } from './opened.ts';

import { recordTen } from './tampering.ts';

async function recordSealed(store: Store, entries: number): Promise<void> {
  await store.record(Array.from({ length: entries }, (_, index) => aDraft({ note: `note ${index + 1}` })));
  await sealAll(store);
}

/** The newest checkpoint, as a person keeps it. */
async function newest(store: Store): Promise<SignedCheckpoint> {
  return openCheckpoint((await store.newestCheckpoint())?.note ?? '', verifiers);
}

const forged = leafHash(leafText(280, '{}')).toString('hex');

/** The findings for a tree of 300 leaves with three checkpoints, at 270, 290 and 300. */
const treeForgeries: readonly { kind: string; statements: readonly string[]; why: RegExp }[] = [
  {
    kind: 'an entry that was edited with its hash',
    statements: [`update audit set draft = '{}', hash = '${forged}' where seq = 280`],
    why: /^entry 280 was edited: its column draft contradicts it$|^entries 271 to 290 are not the ones that checkpoint 2 covers$/,
  },
  {
    kind: 'a checkpoint that was removed',
    statements: ['delete from audit_checkpoints where number = 2'],
    why: /^checkpoint 2 was removed$/,
  },
  {
    kind: 'a checkpoint of another size',
    statements: [`update audit_checkpoints set note = replace(note, '290', '289') where number = 2`],
    why: /^checkpoint 2 was edited$/,
  },
  {
    kind: 'an invalid checkpoint',
    statements: [`update audit_checkpoints set note = 'x' where number = 3`],
    why: /^checkpoint 3 was edited$/,
  },
  {
    kind: 'a checkpoint under the signature of another',
    statements: [
      `update audit_checkpoints set note = (select substr(audit_checkpoints.note, 1, length(audit_checkpoints.note) - 40) ||
       substr(one.note, length(one.note) - 39) from audit_checkpoints as one where one.number = 1) where number = 3`,
    ],
    why: /^the signature of checkpoint 3 was edited$/,
  },
  {
    kind: 'the signature of an old checkpoint under the name of another key',
    statements: [
      `update audit_checkpoints set note = replace(note, '— bellhop.test/audit ', '— elsewhere ') where number = 2`,
    ],
    why: /^checkpoint 2 is not signed by a known key$/,
  },
  ...[0, -7].map((number) => ({
    kind: `a checkpoint put in as number ${number}`,
    statements: [
      `insert into audit_checkpoints select ${number}, 280, at, note from audit_checkpoints where number = 2`,
    ],
    why: new RegExp(`^checkpoint ${number} was inserted$`, 'u'),
  })),
  ...[
    [-1, 0],
    [0, -1],
    [0, 5],
    [0, 300],
  ].map(([level, place]) => ({
    kind: `a hash put in at level ${level}, place ${place}`,
    statements: [`insert into audit_nodes values (${level}, ${place}, '${forged}')`],
    why: new RegExp(
      `^a stored hash of the tree was edited, removed or inserted: level ${level}, index ${place}$`,
      'u',
    ),
  })),
  ...[-1, 1, 7].map((place) => ({
    kind: `a hash put in at level 1, place ${place}`,
    statements: [`insert into audit_nodes values (1, ${place}, '${forged}')`],
    why: new RegExp(
      `^a stored hash of the tree was edited, removed or inserted: level 1, index ${place}$`,
      'u',
    ),
  })),
  {
    kind: 'a hash of the tree that was edited',
    statements: [`update audit_nodes set hash = '${forged}' where level = 1`],
    why: /^a stored hash of the tree was edited, removed or inserted: level 1, index 0$/,
  },
  {
    kind: 'a hash of the tree that was removed',
    statements: ['delete from audit_nodes where level = 1'],
    why: /^a stored hash of the tree was edited, removed or inserted: level 1, index 0$/,
  },
  {
    kind: 'an entry put in at the end',
    statements: [
      `insert into audit select 301, '${leafHash(leafText(301, '{}')).toString('hex')}', '{}', event, at, actor_team,
       actor_user, target_name, request_id, reason_hash, latest_at from audit where seq = 300`,
    ],
    why: /^entry 301 was inserted: no checkpoint covers it$/,
  },
];

export function checkpointContract(stores: () => Opened): void {
  describe('verification by checkpoints', () => {
    it.each(treeForgeries)('finds $kind in a log of 300 entries', async ({ statements, why }) => {
      const { one, run, disarm } = stores();
      await recordSealed(one, 270);
      await recordSealed(one, 20);
      await recordSealed(one, 10);
      await disarm();
      for (const statement of statements) await run(statement);
      const verdict = await verifyAudit(one, { keys: verifiers });
      expect(verdict).toMatchObject({ intact: false, why: expect.stringMatching(why) as unknown });
    });

    it('finds a checkpoint that someone else has signed', async () => {
      const { one } = stores();
      await recordTen(one);
      const elsewhere = [makeSigningKey('elsewhere')] as const;
      for (let entries = 2; entries > 0; entries -= 1) await one.adopt(elsewhere, 0, aDraft());
      expect(await verifyAudit(one)).toMatchObject({ intact: true });
      const why = 'checkpoints 2 to 3 are not signed by a known key';
      expect(await verifyAudit(one, { keys: verifiers })).toMatchObject({ why, unsignedUntil: 3 });
      await one.adopt(keys, 0, aDraft());
      expect(await verifyAudit(one, { keys: verifiers })).toMatchObject({ why, unsignedUntil: 3 });
      expect(await verifyAudit(one, { keys: verifiers, unsignedUntil: 2 })).toMatchObject({
        why: 'checkpoint 3 is not signed by a known key',
      });
      expect(await verifyAudit(one, { keys: verifiers, unsignedUntil: 3 })).toMatchObject({ intact: true });
    });

    it('follows a key that is replaced by way of both, with both of them in hand', async () => {
      const { one } = stores();
      const next = makeSigningKey('made-later');
      const verifier = verifierOf(next, keys[0].name);
      for (const by of [keys, [next, ...keys], [next]] as const) {
        await one.record([aDraft()]);
        await sealAll(one, 0, by);
      }
      const intact = { intact: true, size: 3 };
      expect(await verifyAudit(one, { keys: [verifier] })).toMatchObject({ intact: false, unsignedUntil: 1 });
      expect(await verifyAudit(one, { keys: [verifier], unsignedUntil: 1 })).toEqual(intact);
      expect(await verifyAudit(one, { keys: [...verifiers, verifier] })).toEqual(intact);
      expect(await verifyAudit(one, { keys: verifiers })).toMatchObject({
        why: 'checkpoint 3 is not signed by a known key',
      });
    });

    it('finds a tail that was cut, with its checkpoints, by any published checkpoint of it', async () => {
      const { one, run, disarm } = stores();
      await recordTen(one);
      const before = await newest(one);
      await recordTen(one);
      const handed = await newest(one);
      await disarm();
      await run('delete from audit where seq > 10');
      await run('delete from audit_checkpoints where size > 10');
      await run('update audit_head set seq = 10');
      expect(await verifyAudit(one, { keys: verifiers, handed: [before] })).toEqual({
        intact: true,
        size: 10,
      });
      const cut = { seq: 11, why: 'entries 11 to 20 were removed from the end' };
      expect(await verifyAudit(one, { handed: [handed] })).toEqual({ intact: false, ...cut });
      await recordSealed(one, 10);
      expect(await verifyAudit(one, { keys: verifiers })).toMatchObject({ intact: true });
      const instead =
        'it is not consistent with the published checkpoint of 20 entries, so one of them was changed';
      expect(await verifyAudit(one, { handed: [handed] })).toMatchObject({ intact: false, why: instead });
    });

    it.each([
      [
        'with its key, under its name',
        keys,
        /^it is not consistent with the published checkpoint of 10 entries/,
      ],
      [
        'with another key, under another name',
        [makeSigningKey('elsewhere')] as const,
        /^its origin is elsewhere/,
      ],
    ])('finds a log that was rewritten %s, by any checkpoint of the old one', async (_, by, why) => {
      const { one, run, disarm } = stores();
      await recordTen(one);
      const handed = await newest(one);
      await disarm();
      for (const table of sealedTables) await run(`delete from ${table}`);
      await run('update audit_head set seq = 0, latest_at = 0');
      await one.record(Array.from({ length: 12 }, () => aDraft({ note: 'a kinder story' })));
      await sealAll(one, 0, by);
      expect(await verifyAudit(one)).toMatchObject({ intact: true });
      const verdict = await verifyAudit(one, { handed: [handed] });
      expect(verdict).toMatchObject({ intact: false, why: expect.stringMatching(why) as unknown });
    });
  });
}
