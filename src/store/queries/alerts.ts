import { hash } from 'node:crypto';

import { type AlertContent, alertContent, alertStatus } from '../../core/alerts/alert.ts';
import type { ReceivedAlerts } from '../../core/alerts/alerts.ts';
import { type Fold, fold, type RecentMessages, windowMs } from '../../core/alerts/fold.ts';
import type { Queries } from '../database.ts';
import type { AlertGroupRow, AlertMessageRow } from '../schema.ts';
import { stageEntries } from './audit.ts';
import { jsonReader, parseRow, sanitizeText } from './parse-row.ts';

/** Takes what a hook tells of a group in, with its audit entry. */
export async function foldAlerts(queries: Queries, received: ReceivedAlerts): Promise<Fold> {
  const { hook, update, at } = received;
  await takeTurn(queries, hook, at);
  const id = hash('sha256', `${hook}\n${update.key}`);
  const group = await keptGroup(queries, id);
  const known = group && {
    status: group.status,
    statusAt: group.status_at,
    digest: group.digest,
    firingDigest: group.firing_digest,
    sentAt: group.sent_at ?? undefined,
  };
  const decided = fold(update, known, await recentMessages(queries, hook, at), at);
  if (decided.kind === 'nothing') {
    if (group) await queries.updateTable('alert_groups').set({ seen_at: at }).where('id', '=', id).execute();
    return decided;
  }
  const firing = Number(update.status === 'firing') - Number(known?.status === 'firing');
  const message =
    decided.kind === 'open'
      ? await openMessage(queries, received, decided)
      : await changeMessage(queries, group?.message_id ?? '', at, { firing });
  await keepGroup(queries, { ...received, id, message, group });
  await recordChange(queries, received, message, firing);
  return decided;
}

/** Whatever one hook tells goes one after another, on all replicas: until this transaction ends nobody else has the row. */
export const takeTurn = (queries: Queries, hook: string, at: number): Promise<unknown> =>
  queries
    .insertInto('alert_hooks')
    .values({ hook, updated_at: at })
    .onConflict((conflict) => conflict.column('hook').doUpdateSet({ updated_at: at }))
    .execute();

/** Undefined where its message is no longer kept. */
const keptGroup = (queries: Queries, id: string): Promise<AlertGroupRow | undefined> =>
  queries
    .selectFrom('alert_groups')
    .innerJoin('alert_messages', 'alert_messages.id', 'alert_groups.message_id')
    .selectAll('alert_groups')
    .where('alert_groups.id', '=', id)
    .executeTakeFirst();

async function recentMessages(queries: Queries, hook: string, at: number): Promise<RecentMessages> {
  const own = await queries
    .selectFrom('alert_messages')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('hook', '=', hook)
    .where('kind', '=', 'group')
    .where('opened_at', '>', at - windowMs)
    .executeTakeFirstOrThrow();
  const storm = await queries
    .selectFrom('alert_messages')
    .select(['id', 'opened_at as openedAt', 'folded_at as foldedAt'])
    .where('hook', '=', hook)
    .where('kind', '=', 'storm')
    .orderBy('opened_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { own: own.count, storm };
}

async function openMessage(
  queries: Queries,
  { hook, channel, at, messageId }: ReceivedAlerts,
  decided: Extract<Fold, { kind: 'open' }>,
): Promise<AlertMessageRow> {
  if (decided.storm !== undefined) return changeMessage(queries, decided.storm, at, { firing: 1, joined: 1 });
  return queries
    .insertInto('alert_messages')
    .values({
      id: messageId,
      hook,
      channel,
      kind: decided.in === 'storm' ? 'storm' : 'group',
      ts: null,
      version: 1,
      shown_version: 0,
      try_at: at,
      opened_at: at,
      folded_at: at,
      firing: 1,
      total: 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The next try keeps its time: a message that was just shown is not edited again at once. */
const changeMessage = (
  queries: Queries,
  id: string,
  at: number,
  { firing, joined = 0 }: { readonly firing: number; readonly joined?: number },
): Promise<AlertMessageRow> =>
  queries
    .updateTable('alert_messages')
    .set((is) => ({
      version: is('version', '+', 1),
      firing: is('firing', '+', firing),
      total: is('total', '+', joined),
      try_at: is.fn.coalesce('try_at', is.val(at)),
      ...(joined > 0 && { folded_at: at }),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

interface GroupParts extends ReceivedAlerts {
  readonly id: string;
  readonly message: AlertMessageRow;
  readonly group: AlertGroupRow | undefined;
}

async function keepGroup(queries: Queries, parts: GroupParts): Promise<void> {
  const { id, hook, update, at, message, group } = parts;
  const { status, digest, content, sentAt } = update;
  const row = {
    message_id: message.id,
    status,
    status_at: group?.status === status && group.message_id === message.id ? group.status_at : at,
    title: sanitizeText(content.title),
    content: sanitizeText(JSON.stringify(content)),
    digest,
    firing_digest: status === 'firing' ? digest : (group?.firing_digest ?? digest),
    sent_at: sentAt ?? null,
    seen_at: at,
  };
  await queries
    .insertInto('alert_groups')
    .values({ id, hook, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** One entry where a message begins to tell of something that fires, and one where nothing of it does any more. */
async function recordChange(
  queries: Queries,
  { hook, update, entry }: ReceivedAlerts,
  { channel, kind, firing, total }: AlertMessageRow,
  by: number,
): Promise<void> {
  const began = by > 0 && firing === by;
  const ended = by < 0 && firing === 0;
  if (!began && !ended) return;
  const storm = kind === 'storm' ? total : undefined;
  const event = began ? 'alert firing' : 'alert resolved';
  await stageEntries(queries, [entry({ event, hook, channel, content: update.content, storm })]);
}

/** @throws UnreadableRow */
export function readGroup(row: AlertGroupRow): {
  readonly status: 'firing' | 'resolved';
  readonly content: AlertContent;
  readonly statusAt: number;
} {
  const content = jsonReader('alert_groups', row.id)('content', row.content);
  return {
    status: parseRow('alert_groups', row.id, alertStatus, row.status),
    content: parseRow('alert_groups', row.id, alertContent, content),
    statusAt: row.status_at,
  };
}
