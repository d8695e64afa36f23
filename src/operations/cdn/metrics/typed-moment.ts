import { TZDate } from '@date-fns/tz';
import { startOfDay } from 'date-fns/startOfDay';
import { subDays } from 'date-fns/subDays';
import { z } from 'zod';

import { abridged } from '../../../core/grammar/typed-text.ts';
import { BellhopError } from '../../../core/model/errors.ts';
import { didYouMean } from '../../../core/grammar/nearest.ts';
import { isTimeZone } from './time-zone.ts';

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** A moment as typed: its day and time of day, in its own zone or in that of whoever asks. */
export interface TypedMoment {
  readonly typed: string;
  readonly day: Day | 'today' | 'yesterday' | 'now';
  /** Hours, minutes, seconds; undefined: the day's beginning. */
  readonly time: readonly [number, number, number] | undefined;
  readonly zone: string | undefined;
}

const form =
  /^(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)|(?<word>today|yesterday|now))?(?:(?:^|[T ])(?<hours>\d\d?):(?<minutes>\d\d)(?::(?<seconds>\d\d)(?:[.,]\d{1,9})?)?)?(?:\s*(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)|\s+(?<place>[a-z][\w+/-]{1,60}))?$/iu;

const expected = 'is a date or time such as 2026-11-01, "2026-11-01 09:30", 09:30, today or yesterday';

/** A moment as typed, checked as far as it can be without knowing who asks and when. */
export const typedMoment = z
  .string()
  .trim()
  .min(1, expected)
  .transform((typed, context): TypedMoment => {
    const read = readMoment(typed);
    if (typeof read !== 'string') return read;
    context.addIssue({ code: 'custom', message: read });
    return z.NEVER;
  });

/** The moment, or what is wrong with it. */
function readMoment(typed: string): TypedMoment | string {
  const groups = typed.length > 100 ? undefined : form.exec(typed)?.groups;
  if (!groups) return `${expected}, not “${abridged(typed)}”`;
  const { year, month, day, hours, minutes, seconds } = groups;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  if (year !== undefined && !exists(date)) return `${year}-${month}-${day} does not exist`;
  const time = [Number(hours), Number(minutes), Number(seconds ?? 0)] as const;
  const hasTime = hours !== undefined;
  if (hasTime && (time[0] > 23 || time[1] > 59 || time[2] > 59))
    return `there is no time ${typed.slice(typed.indexOf(hours))}`;
  const word = wordOf(groups['word']);
  if (word === undefined && year === undefined && !hasTime) return `${expected}, not “${abridged(typed)}”`;
  if (word === 'now' && hasTime) return 'now has no time of day: leave one of them out';
  const zone = zoneOf(groups['zone'] ?? groups['place']);
  if (zone?.isZone === false) return zoneProblem(zone.name);
  return {
    typed,
    day: year === undefined ? (word ?? 'today') : date,
    time: hasTime ? time : undefined,
    zone: zone?.name,
  };
}

const exists = ({ year, month, day }: Day): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

const words = z.enum(['today', 'yesterday', 'now']);
const wordOf = (typed: string | undefined) => words.safeParse(typed?.toLowerCase()).data;

/** `Z`, `+01`, `+0100` and `Europe/Berlin` as a zone that times can be told in. */
function zoneOf(typed: string | undefined): { readonly name: string; readonly isZone: boolean } | undefined {
  if (typed === undefined) return undefined;
  if (/^(?:z|utc|gmt)$/iu.test(typed)) return { name: 'UTC', isZone: true };
  const offset = /^([+-]\d\d):?(\d\d)?$/u.exec(typed);
  const name = offset ? `${offset[1]}:${offset[2] ?? '00'}` : typed;
  return { name, isZone: isTimeZone(name) };
}

const zoneProblem = (name: string): string => {
  const guess = didYouMean(name, Intl.supportedValuesOf('timeZone'));
  const hint = guess === '' ? ' Take a name such as Europe/Berlin, an offset such as +01:00, or Z.' : guess;
  return `“${abridged(name)}” is no time zone.${hint}`;
};

/**
 * Epoch milliseconds of a typed moment; `zone`: of whoever asks.
 * @throws BellhopError `bad-input` for a time of day that the clocks of that day skip
 */
export function resolveMoment(moment: TypedMoment, now: number, ownZone: string): number {
  if (moment.day === 'now') return now;
  const zone = moment.zone ?? ownZone;
  const midnight = dayOf(moment.day, now, zone);
  if (!moment.time) return midnight.getTime();
  const [hours, minutes, seconds] = moment.time;
  const at = new TZDate(
    midnight.getFullYear(),
    midnight.getMonth(),
    midnight.getDate(),
    hours,
    minutes,
    seconds,
    zone,
  );
  if (at.getHours() === hours && at.getMinutes() === minutes) return at.getTime();
  throw new BellhopError(
    'bad-input',
    `“${moment.typed}” does not exist in ${zone}: the clocks are put forward there then. Nothing was sent.`,
  );
}

function dayOf(day: Exclude<TypedMoment['day'], 'now'>, now: number, zone: string): TZDate {
  if (typeof day === 'object') return new TZDate(day.year, day.month - 1, day.day, zone);
  const today = startOfDay(new TZDate(now, zone));
  return day === 'today' ? today : subDays(today, 1);
}
