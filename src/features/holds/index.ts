import type { Feature } from '../../host/feature.ts';
import { hold } from './begin.ts';
import { extend, release } from './end.ts';
import { held, holdExtended, holdReleased } from './events.ts';
import { createHoldHandler } from './handler.ts';
import { listHolds } from './list.ts';
import { byHolds } from './restriction.ts';

/** Lets people keep others from changing a target for a while. */
export const holds: Feature = {
  events: [held, holdExtended, holdReleased],
  operations: [hold, release, extend, listHolds],
  restriction: byHolds,
  start: (host) => ({ handlers: [createHoldHandler(host)] }),
};
