import { readZone } from './words.ts';

/** A profile can name a zone that this machine does not know. */
const knownZone = (zone: string): string => readZone(zone) ?? 'UTC';

/** Returns a function that formats epoch milliseconds in a zone, such as `2026-12-24 20:00`. */
export function clockOf(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: knownZone(zone),
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (at) => format.format(at);
}

/** Returns text such as `2026-12-24 20:00 (Europe/Berlin)`. */
export const momentIn = (at: number, zone: string): string => `${clockOf(zone)(at)} (${knownZone(zone)})`;

/** Returns text such as `2026-12-24 16:00 to 2026-12-24 20:00 (Europe/Berlin)`. */
export const periodText = (since: number, until: number, zone: string): string =>
  `${clockOf(zone)(since)} to ${momentIn(until, zone)}`;
