import { z } from 'zod';

import { type Due, type DueDraft, type DueKind, dueKind } from '../../../model/records/due.ts';
import type { Offers } from '../../../model/records/offer.ts';

export const readsKind = dueKind('reads');

/** Due after a group of alerts is resolved, fires again or gets a new target. Stores of earlier versions already have this name. */
export const turnedKind = dueKind('alert resolved');

/** A late update of the sender that reported the end has to be received again. */
export const heldKind = dueKind('held alert');

const groupRow = z.object({ source: z.string(), group: z.string() });

export const groupDue = (kind: DueKind, source: string, group: string, at: number): DueDraft => ({
  kind,
  key: `${source} ${group}`.slice(0, 1000),
  at,
  about: { source, group },
});

/** Resolves to undefined once the group is no longer kept. */
export async function groupOf(store: Pick<Offers, 'findOfferOf'>, { about }: Pick<Due, 'about'>) {
  const { source, group } = groupRow.parse(about);
  const found = await store.findOfferOf(source, group);
  return found && { ...found, source };
}
