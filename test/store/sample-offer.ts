import type { OfferStatus, OfferUpdate, ReceivedUpdate } from '../../src/model/records/offer.ts';
import { aDraft } from './sample-request.ts';

/** An update of a source's only offer, which has its own message. */
export function anOffer(status: OfferStatus = 'firing', at = 1000): ReceivedUpdate {
  const update: OfferUpdate = { key: 'one', status, digest: `${status} 1`, content: { title: 'An offer' } };
  return {
    source: 'source',
    channel: 'C0INC42',
    at,
    messageId: `a-${at}`,
    update,
    fold: (known) => ({
      fold: known ? { kind: 'change' } : { kind: 'open', in: 'message', tier: 'target' },
      update,
      rank: 0,
      told: { rank: 0, targets: [] },
    }),
    entries: () => [aDraft({ event: 'ignored click' })],
  };
}
