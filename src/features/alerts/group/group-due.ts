import { z } from 'zod';

import { type DueDraft, type DueKind, dueKind } from '../../../model/records/due.ts';

/** A new group of alerts has its own message, and its hook has reads. */
export const readsKind = dueKind('reads');

/** A group of alerts with its own message is resolved. */
export const resolvedKind = dueKind('alert resolved');

const groupRow = z.object({ source: z.string(), group: z.string() });

export const groupDue = (kind: DueKind, source: string, group: string, at: number): DueDraft => ({
  kind,
  key: `${source} ${group}`.slice(0, 1000),
  at,
  about: { source, group },
});

export const readGroupDue = (about: unknown) => groupRow.parse(about);
