import { parseJson } from '../../text/words.ts';
import {
  type KnownGroup,
  type OfferContent,
  type OfferGroup,
  offerContent,
  offerStatus,
} from '../../model/records/offer.ts';
import type { Queries } from '../database/database.ts';
import type { AlertGroupRow } from '../database/schema.ts';
import { jsonReader, parseRow } from './parse-row.ts';

export type KeptGroup = NonNullable<Awaited<ReturnType<typeof keptGroup>>>;

export const keptGroup = (queries: Queries, id: string) =>
  queries
    .selectFrom('alert_groups')
    .leftJoin('alert_messages as message', 'message.id', 'alert_groups.message_id')
    .selectAll('alert_groups')
    .select(['message.kind', 'message.tier', 'message.firing', 'message.opened_at', 'message.ts'])
    .where('alert_groups.id', '=', id)
    .executeTakeFirst();

export const knownGroup = (row: KeptGroup): KnownGroup => ({
  status: row.status,
  statusAt: row.status_at,
  digest: row.digest,
  beginnings: row.firing_digest,
  content: readContent(row.content),
  openedAt: row.opened_at ?? undefined,
  ts: row.ts ?? undefined,
  sentAt: row.sent_at ?? undefined,
  told: parseJson(row.told),
  storm: row.kind === 'storm' && row.tier !== null ? { tier: row.tier, firing: row.firing ?? 0 } : undefined,
});

export const readContent = (text: string | undefined): OfferContent | undefined =>
  offerContent.safeParse(parseJson(text ?? '')).data;

/** @throws UnreadableRow */
export function readGroup(row: AlertGroupRow): OfferGroup {
  const content = jsonReader('alert_groups', row.id)('content', row.content);
  return {
    id: row.id,
    status: parseRow('alert_groups', row.id, offerStatus, row.status),
    content: parseRow('alert_groups', row.id, offerContent, content),
    statusAt: row.status_at,
  };
}
