import { readMoment } from './words.ts';

const iso =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<minute>\d\d:\d\d)(?<second>:\d\d(?:[.,](?<fraction>\d{1,9}))?)? ?(?:Z|UTC|(?<hours>[+-]\d\d):?(?<minutes>\d\d)?)?)?$/iu;

/**
 * Reads a time that another system wrote in a form of ISO 8601. A time without a zone is in UTC. The period is the
 * millisecond, second, minute or day that the text states. Returns undefined for other text, and for a day that does not
 * exist.
 */
export function writtenPeriod(text = ''): { readonly from: number; readonly to: number } | undefined {
  const found = iso.exec(text)?.groups;
  if (!found) return undefined;
  const { day = '', minute = '00:00', second = '', fraction = '', hours, minutes = '00' } = found;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const from = readMoment(`${day}T${minute}${second.replace(',', '.')}${zone}`);
  if (from === undefined) return undefined;
  const lasts =
    fraction.length >= 3 ? 1 : second !== '' ? 1000 : found['minute'] === undefined ? 86_400_000 : 60_000;
  return { from, to: from + lasts - 1 };
}

/** In epoch milliseconds. */
export const writtenMoment = (text?: string): number | undefined => writtenPeriod(text)?.from;

/** All three forms of an HTTP date are in UTC, and one of them has no zone. */
export function httpDate(text: string): number | undefined {
  if (!/^[A-Z][a-z]{2,8},? /u.test(text)) return undefined;
  const at = Date.parse(/(?:GMT|UTC|[+-]\d{4})$/u.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}
