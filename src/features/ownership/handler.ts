import type { Host } from '../../host/feature.ts';
import type { Handler } from '../../model/records/due.ts';
import { isFiring } from '../../model/records/offer.ts';
import { endAlone, ownerKind, readOwner } from './owner.ts';

/** In milliseconds. Checked often, because an ownership ends with its alert. */
const lookAgainMs = 30_000;

type OwnerPorts = Pick<Host, 'store' | 'clock' | 'rulebook'>;

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
