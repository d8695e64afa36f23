import { type AuditDraft, canonical, chainHash } from '../../src/model/audit.ts';
import type { Database } from '../../src/store/database/database.ts';

/** Appends entries as versions before the tree did: each chained to the one before, under the lock of the head. */
export const appendChained = (database: Database, drafts: readonly AuditDraft[]): Promise<void> =>
  database.writeAlone(async (queries) => {
    const head = await queries
      .updateTable('audit_head')
      .set((is) => ({ seq: is('seq', '+', drafts.length) }))
      .where('id', '=', 1)
      .returning(['seq', 'hash', 'latest_at'])
      .executeTakeFirstOrThrow();
    let [seq, hash, latest] = [head.seq - drafts.length, head.hash, head.latest_at];
    const rows = drafts.map((draft) => {
      const text = canonical(draft);
      const previous = hash;
      seq += 1;
      hash = chainHash(seq, previous, text);
      latest = Math.max(latest, draft.at);
      const { event, at, actor, target, requestId } = draft;
      return {
        seq,
        previous_hash: previous,
        hash,
        draft: text,
        event,
        at,
        latest_at: latest,
        actor_team: actor?.team ?? null,
        actor_user: actor?.user ?? null,
        target_name: target?.name ?? null,
        request_id: requestId ?? null,
      };
    });
    await queries.insertInto('audit').values(rows).execute();
    await queries.updateTable('audit_head').set({ hash, latest_at: latest }).where('id', '=', 1).execute();
  });

/** As the migration leaves a log that already had entries: none of them is in the tree. */
export const asBeforeTheTree = (database: Database): Promise<unknown> =>
  database.writeAlone((queries) => queries.updateTable('audit_head').set({ taken_over: 0 }).execute());
