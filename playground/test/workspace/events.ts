import { z } from 'zod';
import { until } from '../../../test/until.ts';
import type { LocalSlack } from './open-slack.ts';

const eventSchema = z.looseObject({
  type: z.string(),
  ts: z.string().default(''),
  event_ts: z.string(),
});

/** The events that reached the app, in the order in which they happened: connections may overtake each other. */
export function eventsOf(slack: LocalSlack) {
  return slack.app.received
    .flatMap(({ payload }) =>
      payload.type === 'event_callback' ? [eventSchema.parse(payload['event'])] : [],
    )
    .toSorted((one, other) => one.event_ts.localeCompare(other.event_ts));
}

/** Waits for this many events of the type. */
export async function eventsHeard(slack: LocalSlack, type: string, count = 1) {
  return until(() => {
    const found = eventsOf(slack).filter((event) => event.type === type);
    return found.length >= count && found;
  });
}
