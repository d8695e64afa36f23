import type { Host } from '../../host/feature.ts';
import type { Handler } from '../../model/records/due.ts';
import { isFiring } from '../../model/records/offer.ts';
import { endAlone, ownerKind, readOwner } from './owner.ts';

/** In milliseconds. An owned alert is checked this often, because its ownership ends with the alert. */
const lookAgainMs = 30_000;

type OwnerPorts = Pick<Host, 'store' | 'clock' | 'rulebook'>;

/** Ends an ownership when its alert ends, or when its time runs out. */
export const createOwnerHandler = (ports: OwnerPorts): Handler => ({
  kind: ownerKind,
  atOnce: 5,
  trouble: 'the owner of an alert could not be checked',
  giveUpAfterMs: 24 * 60 * 60_000,
  byClock: true,
  async handle(due) {
    const { store, clock } = ports;
    const one = readOwner(due);
    const message = await store.findOfferOfGroup(one.group);
    const firing = message && isFiring(message) ? message : undefined;
    const left = one.until - clock.now();
    if (firing && left > 0) return { againIn: Math.min(lookAgainMs, left) };
    await store.changeLasting(ownerKind, clock.now(), endAlone(ports, one, firing));
    if (firing) await store.redrawGroup(one.group, clock.now());
    return { recorded: true };
  },
});
