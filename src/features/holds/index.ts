import type { Feature } from '../../host/feature.ts';
import { holdActs } from './acts.ts';
import { held, holdExtended, holdReleased } from './events.ts';
import { createHoldHandler } from './handler.ts';
import { holdOperations } from './operations.ts';
import { byHolds, heldLines } from './restriction.ts';

/** Lets people keep others from changing a target for a while. */
export const holds: Feature = {
  events: [held, holdExtended, holdReleased],
  operations: Object.values(holdOperations),
  restriction: byHolds,
  cardLines: ({ store }) => heldLines(store),
  start: (host) => ({ acts: holdActs(host), handlers: [createHoldHandler(host)] }),
};
