import { readZone } from './words.ts';

/** A profile can name a zone that this machine does not know. */
const knownZone = (zone: string): string => readZone(zone) ?? 'UTC';

/** For example `2026-12-24 20:00`. */
export function clockOf(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: knownZone(zone),
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (at) => format.format(at);
}

/** For example `2026-12-24 20:00 (Europe/Berlin)`. */
export const momentIn = (at: number, zone: string): string => `${clockOf(zone)(at)} (${knownZone(zone)})`;

/** For example `2026-12-24 16:00 to 2026-12-24 20:00 (Europe/Berlin)`. */
export const periodText = (since: number, until: number, zone: string): string =>
  `${clockOf(zone)(since)} to ${momentIn(until, zone)}`;
