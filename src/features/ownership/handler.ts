import type { Host } from '../../host/feature.ts';
import type { Handler } from '../../model/records/due.ts';
import { isFiring } from '../../model/records/offer.ts';
import { endByTime, endWithAlert, type Owner, ownerKind, readOwner } from './owner.ts';
import { renderTold } from './render.ts';

/** In milliseconds. An owned alert is looked at this often, because its end ends the ownership. */
const lookAgainMs = 30_000;

type OwnerPorts = Pick<Host, 'api' | 'store' | 'clock' | 'rulebook' | 'disclaimers'>;

/** Tells owners of a change, and ends ownership with the alert or by time. */
export const createOwnerHandler = (ports: OwnerPorts): Handler => ({
  kind: ownerKind,
  atOnce: 5,
  trouble: 'the owner of an alert could not be notified',
  giveUpAfterMs: 24 * 60 * 60_000,
  byClock: true,
  async handle(due) {
    const { store, clock } = ports;
    const one = readOwner(due);
    const { tell: _told, ...about } = one;
    const message = await store.findOfferOfGroup(one.group);
    await tell(ports, one, message?.ts);
    if (one.ended) return { done: true };
    if (!message || !isFiring(message)) {
      await store.changeLasting(ownerKind, clock.now(), endWithAlert(ports, one));
      return { done: true };
    }
    if (clock.now() >= one.until) {
      await store.changeLasting(ownerKind, clock.now(), endByTime(ports, one));
      await store.redrawGroup(one.group, clock.now());
      return { againIn: 0 };
    }
    return { againIn: Math.min(lookAgainMs, one.until - clock.now()), about };
  },
});

async function tell({ api, disclaimers }: OwnerPorts, one: Owner, ts: string | undefined): Promise<void> {
  if (one.tell && ts !== undefined)
    await api.postMessage(one.channel, renderTold(one, one.tell, disclaimers), ts);
}
