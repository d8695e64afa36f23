import { hash } from 'node:crypto';

import { sql } from 'kysely';

import {
  type Fold,
  type FoldedGroup,
  type OfferContent,
  offerKind,
  type OpenFold,
  type ReceivedUpdate,
  type RecentMessages,
  recentMs,
} from '../../model/records/offer.ts';
import type { Queries, SharedClock } from '../database/database.ts';
import { setDue } from './due.ts';
import type { AlertGroupRow, AlertMessageRow } from '../database/schema.ts';
import { stageEntries } from './audit.ts';
import { keptGroup, type KeptGroup, knownGroup } from './offer-groups.ts';
import { sanitizeText } from './parse-row.ts';

export async function foldOffer(
  queries: Queries,
  clock: SharedClock,
  received: ReceivedUpdate,
): Promise<Fold> {
  const { source: hook, update, at } = received;
  await takeTurn(queries, hook, at);
  const id = groupId(hook, update.key);
  const group = await keptGroup(queries, id);
  const known = group && knownGroup(group);
  const recent = await recentMessages(queries, hook, update.content.title, at);
  const folded = received.fold(known, recent);
  const decided = folded.fold;
  if (decided.kind === 'nothing') {
    await setDue(queries, clock, at, folded.due ?? []);
    const seen = { seen_at: at, told: sanitizeText(JSON.stringify(folded.told)) };
    if (decided.why === 'ended') await keepGroup(queries, { hook, at, id, messageId: '', group, folded });
    else await queries.updateTable('alert_groups').set(seen).where('id', '=', id).execute();
    return decided;
  }
  const [was, is] = [known?.status === 'firing', folded.update.status === 'firing'];
  const firing = Number(is) - Number(was);
  if (decided.kind === 'open' && group) await leaveMessage(queries, clock, group, at);
  const message =
    decided.kind === 'open'
      ? await openMessage(queries, received, decided)
      : await changeMessage(queries, group?.message_id ?? '', at, { firing });
  await makeDue(queries, clock, message, at);
  await setDue(queries, clock, at, folded.due ?? []);
  await keepGroup(queries, { hook, at, id, messageId: message.id, group, folded });
  await recordChange(queries, clock, received, {
    update: folded.update,
    message,
    firing,
    before: was ? known?.content : undefined,
  });
  return decided;
}

export const groupId = (source: string, key: string): string => hash('sha256', `${source}\n${key}`);

/** Locks the hook's row, so that its deliveries take turns across replicas. */
export const takeTurn = (queries: Queries, hook: string, at: number): Promise<unknown> =>
  queries
    .insertInto('alert_hooks')
    .values({ hook, updated_at: at })
    .onConflict((conflict) => conflict.column('hook').doUpdateSet({ updated_at: at }))
    .execute();

/** No hook begins more storms within an hour. */
const maxStorms = 100;

async function recentMessages(
  queries: Queries,
  hook: string,
  title: string,
  at: number,
): Promise<RecentMessages> {
  const { rows: own } = await sql<RecentMessages['own'][number]>`
    select message.tier, count(*) as "all",
      count(case when coalesce(message.moved, its.title) = ${sanitizeText(title)} then 1 end) as "ofTitle"
    from alert_messages as message left join alert_groups as its on its.message_id = message.id
    where message.hook = ${hook} and message.kind = 'group' and message.opened_at > ${at - recentMs.messages}
    group by message.tier`.execute(queries);
  const storms = await queries
    .selectFrom('alert_messages')
    .select(['id', 'tier', 'opened_at as openedAt', 'folded_at as foldedAt', 'firing'])
    .where('hook', '=', hook)
    .where('kind', '=', 'storm')
    .where('opened_at', '>', at - recentMs.storms)
    .orderBy('opened_at', 'desc')
    .limit(maxStorms)
    .execute();
  return { own, storms };
}

async function leaveMessage(
  queries: Queries,
  clock: SharedClock,
  group: KeptGroup,
  at: number,
): Promise<void> {
  const wasFiring = group.status === 'firing';
  if (group.kind === 'storm') {
    const left = await changeMessage(queries, group.message_id, at, {
      firing: -Number(wasFiring),
      joined: -1,
    });
    return makeDue(queries, clock, left, at);
  }
  const left = await queries
    .updateTable('alert_messages')
    .set((is) => {
      // A message that already shows the end stays unchanged.
      const changes = is.or([is('firing', '>', 0), is('shown_version', '<', is.ref('version'))]);
      return {
        left_group: group.id,
        left_content: group.content,
        moved: is.case().when(changes).then(group.title).end(),
        version: is('version', '+', is.case().when(changes).then(1).else(0).end()),
        firing: 0,
      };
    })
    .where('id', '=', group.message_id)
    .returning(['id', 'version', 'shown_version'])
    .executeTakeFirst();
  if (left && left.version > left.shown_version) await makeDue(queries, clock, left, at);
}

/** Keeps an earlier time, so that a message that was just posted is not edited immediately. */
const makeDue = (
  queries: Queries,
  clock: SharedClock,
  { id: key, version }: Pick<AlertMessageRow, 'id' | 'version'>,
  at: number,
): Promise<void> => setDue(queries, clock, at, [{ kind: offerKind, key, version, at, keepsTime: true }]);

export async function redrawGroup(
  queries: Queries,
  clock: SharedClock,
  id: string,
  at: number,
): Promise<void> {
  const message = await queries
    .updateTable('alert_messages')
    .set((is) => ({ version: is('version', '+', 1) }))
    .where('id', '=', (is) =>
      is.selectFrom('alert_groups').select('message_id').where('id', '=', sanitizeText(id)),
    )
    .returning(['id', 'version'])
    .executeTakeFirst();
  if (message) await makeDue(queries, clock, message, at);
}

async function openMessage(
  queries: Queries,
  { source: hook, channel, at, messageId }: ReceivedUpdate,
  decided: OpenFold,
): Promise<AlertMessageRow> {
  if (decided.storm !== undefined) return changeMessage(queries, decided.storm, at, { firing: 1, joined: 1 });
  return queries
    .insertInto('alert_messages')
    .values({
      id: messageId,
      hook,
      channel,
      kind: decided.in === 'storm' ? 'storm' : 'group',
      tier: decided.tier,
      ts: null,
      version: 1,
      shown_version: 0,
      opened_at: at,
      folded_at: at,
      firing: 1,
      total: 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

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
      ...(joined > 0 && { folded_at: at }),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

interface GroupParts extends Pick<ReceivedUpdate, 'at'> {
  readonly hook: string;
  readonly id: string;
  /** Empty if only the group's end arrived, so that it has no message. */
  readonly messageId: string;
  readonly group: AlertGroupRow | undefined;
  readonly folded: FoldedGroup;
}

async function keepGroup(queries: Queries, parts: GroupParts): Promise<void> {
  const { id, hook, at, messageId, group, folded } = parts;
  const { status, digest, content, sentAt, beginnings } = folded.update;
  const row = {
    message_id: messageId,
    status,
    status_at: group?.status === status && group.message_id === messageId ? group.status_at : at,
    title: sanitizeText(content.title),
    content: sanitizeText(JSON.stringify(content)),
    rank: folded.rank,
    told: sanitizeText(JSON.stringify(folded.told)),
    digest,
    firing_digest: beginnings ?? '',
    sent_at: sentAt ?? null,
    seen_at: at,
  };
  await queries
    .insertInto('alert_groups')
    .values({ id, hook, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

async function recordChange(
  queries: Queries,
  clock: SharedClock,
  { entries }: ReceivedUpdate,
  { update, message: { channel, kind, tier, firing, total }, firing: by, before }: MessageChange,
): Promise<void> {
  const turned = (by > 0 && firing === by) || (by < 0 && firing === 0);
  const storm = kind === 'storm' ? { tier, total, turned } : undefined;
  await stageEntries(queries, clock, entries({ channel, update, before, storm }));
}

interface MessageChange extends Pick<FoldedGroup, 'update'> {
  readonly message: AlertMessageRow;
  /** The change in the number of firing groups. */
  readonly firing: number;
  readonly before: OfferContent | undefined;
}
