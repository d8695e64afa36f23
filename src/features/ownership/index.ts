import type { Feature } from '../../host/feature.ts';
import { alertHandedBack, alertOwned, alertTakenOver } from './events.ts';
import { createOwnerHandler } from './handler.ts';
import { listAlerts } from './operations.ts';
import { ownerButtons } from './press.ts';
import { ownerLines, ownerParts, homeLines } from './render.ts';

/** Shows who is on an alert. */
export const ownership: Feature = {
  events: [alertOwned, alertTakenOver, alertHandedBack],
  operations: [listAlerts],
  buttons: ownerButtons,
  offerParts: ownerParts,
  cardLines: ({ store }) => ownerLines(store),
  start: (host) => ({
    handlers: [createOwnerHandler(host)],
    homeLines: (reader) => homeLines(host, reader),
  }),
};
