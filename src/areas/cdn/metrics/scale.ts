import { formatter } from '../../../bellhop/bellhop.ts';
import type { MetricUnit } from '../client/metrics-names.ts';

/** Whether the values of intervals add up to the value of a range. Other values are averaged over time. */
export const addsUp = (unit: MetricUnit | undefined): boolean => unit === 'requests' || unit === 'bytes';

const whole = formatter({ maximumFractionDigits: 0 });
const three = formatter({ maximumSignificantDigits: 3 });
const fine = formatter({ maximumFractionDigits: 3 });
const prefixes = ['', 'k', 'M', 'G', 'T', 'P'] as const;

export interface Scale {
  readonly factor: number;
  /** The unit is empty for a metric of unknown unit. */
  readonly unit: string;
}

export function scaleFor(unit: MetricUnit | undefined, most: number): Scale {
  switch (unit) {
    case 'bit/s':
    case 'bytes': {
      const power = Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(most))) / 3));
      const index = Math.min(power, prefixes.length - 1);
      const name = unit === 'bytes' ? 'B' : unit;
      return { factor: 1000 ** -index, unit: `${prefixes[index] ?? ''}${name}` };
    }
    case 'ratio':
    case 'shares':
      return { factor: 100, unit: '%' };
    case 'requests':
    case 'requests/s':
      return { factor: 1, unit };
    case undefined:
      return { factor: 1, unit: '' };
  }
}

export function scaled(value: number, { factor, unit }: Scale): number {
  if (unit === 'requests') return Math.round(value);
  return Number(unit === '' ? (value * factor).toPrecision(6) : (value * factor).toPrecision(3));
}

/** Larger values are not plausible counts. */
const beyondReading = 1e24;

/** Returns a value with its unit: `52,345`, `1.24 Gbit/s`, `0.42 %`. Request counts have no unit. */
export function valueText(
  unit: MetricUnit | undefined,
  value: number,
  scale: Scale = scaleFor(unit, value),
): string {
  if (!(Math.abs(value) < beyondReading)) return 'too large';
  if (unit === 'requests') return whole(value);
  if (unit === undefined) return fine(value);
  return `${three(value * scale.factor)} ${scale.unit}`;
}

/** Returns a change: `+12 %`, `−1.2 points` for ratios and shares, `×23`, `none before`. */
export function differenceText(unit: MetricUnit | undefined, now: number, before: number): string {
  if (!Number.isFinite(now) || !Number.isFinite(before)) return 'not comparable';
  if (unit === 'ratio' || unit === 'shares') return `${signed((now - before) * 100)} points`;
  if (before === 0) return now === 0 ? '±0 %' : 'none before';
  const times = now / before;
  return times >= 10 ? `×${three(times)}` : `${signed((times - 1) * 100)} %`;
}

const tenth = formatter({ maximumFractionDigits: 1 });

const signed = (value: number): string => {
  const digits = tenth(Math.abs(value));
  return digits === '0' ? '±0' : `${value < 0 ? '−' : '+'}${digits}`;
};
