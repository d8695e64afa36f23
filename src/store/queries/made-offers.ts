import type { KnownOffers, OfferContent, OfferDraft, OfferStep, Offers } from '../../model/records/offer.ts';
import type { Database, Queries, SharedClock } from '../database/database.ts';
import { readContent } from './offer-groups.ts';
import { foldOffer, groupId, takeTurn } from './offer-updates.ts';
import { stageEntries } from './audit.ts';
import { setDue } from './due.ts';

type Decided = Readonly<{ step?: OfferStep | undefined }>;

export const madeOffersOn = (database: Database): Pick<Offers, 'makeOffer' | 'endOffer'> => ({
  async makeOffer(draft) {
    // A repeated or refused offer writes nothing and blocks no writer.
    const decided = draft.decide(await database.read((queries) => knownTo(queries, draft)));
    if (!decided.step) return decided;
    return database.writeInTurn(draft.turn, (queries) => makeOffer(queries, database, draft));
  },
  endOffer: (ending) =>
    database.writeInTurn(ending.turn, async (queries) => {
      const ends = await endOffer(queries, database, ending);
      if (ends) await stageEntries(queries, database, ending.audit);
      return ends;
    }),
});

async function makeOffer<D extends Decided>(
  queries: Queries,
  clock: SharedClock,
  draft: OfferDraft<D>,
): Promise<D> {
  const { turn, at } = draft;
  await takeTurn(queries, turn, at);
  const decided = draft.decide(await knownTo(queries, draft));
  if (!decided.step) return decided;
  const { received, due = [], audit } = decided.step;
  await foldOffer(queries, clock, received);
  await setDue(queries, clock, at, due);
  await stageEntries(queries, clock, audit);
  return decided;
}

async function knownTo(
  queries: Queries,
  { source, sources, digest, endedAfter }: OfferDraft<Decided>,
): Promise<KnownOffers> {
  const groups = queries.selectFrom('alert_groups').select('content');
  const ended = groups.where('hook', '=', source).where('status', '=', 'resolved');
  const newest = ended.where('digest', '=', digest).orderBy('status_at', 'desc').limit(1);
  const [previous] = contentsOf(await newest.execute());
  return {
    open: contentsOf(await groups.where('hook', 'in', sources).where('status', '=', 'firing').execute()),
    ended: contentsOf(await ended.where('status_at', '>', endedAfter).execute()),
    previous,
  };
}

const contentsOf = (rows: readonly { readonly content: string }[]): readonly OfferContent[] =>
  rows.flatMap(({ content }) => readContent(content) ?? []);

/** In the transaction that ends the offer. The caller writes the entries. */
export async function endOffer(
  queries: Queries,
  clock: SharedClock,
  { turn, received }: OfferStep,
): Promise<boolean> {
  await takeTurn(queries, turn, received.at);
  const open = await queries
    .selectFrom('alert_groups')
    .select('id')
    .where('id', '=', groupId(received.source, received.update.key))
    .where('status', '=', 'firing')
    .executeTakeFirst();
  if (open) await foldOffer(queries, clock, received);
  return open !== undefined;
}
