import { z } from 'zod';

import { parseJson } from '../../text/words.ts';
import {
  type AlertContent,
  alertContent,
  alertStatus,
  type KnownGroup,
  type Told,
} from '../../model/records/alert.ts';
import type { Queries } from '../database/database.ts';
import type { AlertGroupRow } from '../database/schema.ts';
import { jsonReader, parseRow } from './parse-row.ts';

export type KeptGroup = NonNullable<Awaited<ReturnType<typeof keptGroup>>>;

/** Resolves to undefined if the group's message is no longer kept. */
export const keptGroup = (queries: Queries, id: string) =>
  queries
    .selectFrom('alert_groups')
    .innerJoin('alert_messages as message', 'message.id', 'alert_groups.message_id')
    .selectAll('alert_groups')
    .select(['message.kind', 'message.tier', 'message.firing'])
    .where('alert_groups.id', '=', id)
    .executeTakeFirst();

export const knownGroup = (row: KeptGroup): KnownGroup => ({
  status: row.status,
  statusAt: row.status_at,
  digest: row.digest,
  firingDigest: row.firing_digest,
  sentAt: row.sent_at ?? undefined,
  told: readTold(row.told),
  storm: row.kind === 'storm' ? { tier: row.tier, firing: row.firing } : undefined,
});

const toldSchema = z.object({ rank: z.number(), targets: z.array(z.string()) });

/** Unreadable groups are announced again. */
const readTold = (text: string): Told => toldSchema.catch({ rank: 0, targets: [] }).parse(parseJson(text));

export const readContent = (text: string | undefined): AlertContent | undefined =>
  alertContent.safeParse(parseJson(text ?? '')).data;

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
