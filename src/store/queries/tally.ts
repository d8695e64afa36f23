import { type Tally, waitingStates } from '../../core/introspection/status.ts';
import type { Queries } from '../database.ts';

/** Counts what waits, both times by an index that holds little else. */
export async function countWaiting(queries: Queries): Promise<Tally> {
  const counted = await queries
    .selectFrom('requests')
    .select((is) => ['state', is.fn.countAll<number>().as('count')])
    .where('state', 'in', waitingStates)
    .groupBy('state')
    .execute();
  const cards = await queries
    .selectFrom('requests')
    .select((is) => [is.fn.countAll<number>().as('count'), is.fn.min('created_at').as('oldest')])
    .where('card_try_at', 'is not', null)
    .whereRef('card_shown_version', '<', 'version')
    .executeTakeFirst();
  const count = (state: (typeof waitingStates)[number]): number =>
    counted.find((row) => row.state === state)?.count ?? 0;
  return {
    requests: {
      proposed: count('proposed'),
      'awaiting approval': count('awaiting approval'),
      running: count('running'),
      unknown: count('unknown'),
    },
    cardsWaiting: cards?.count ?? 0,
    oldestCardAt: cards?.oldest ?? undefined,
  };
}
