import { tzOffset } from '@date-fns/tz/tzOffset';

/** Whether times can be told in this zone: an IANA name, `UTC`, or an offset such as `+01:00`. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The offset of a zone at a moment, as people write it: `UTC`, `UTC+1`, `UTC−3:30`. */
export function offsetText(at: number, zone: string): string {
  const minutes = tzOffset(zone, new Date(at));
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
