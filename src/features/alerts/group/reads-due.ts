import { z } from 'zod';

import { type DueDraft, dueKind } from '../../../model/records/due.ts';

/** A new group of alerts has its own message, and its hook has reads. */
export const readsKind = dueKind('reads');

const readsRow = z.object({ source: z.string(), group: z.string() });

export const readsDue = (source: string, group: string, at: number): DueDraft => ({
  kind: readsKind,
  key: `${source} ${group}`.slice(0, 1000),
  at,
  about: { source, group },
});

export const readReadsDue = (about: unknown) => readsRow.parse(about);
