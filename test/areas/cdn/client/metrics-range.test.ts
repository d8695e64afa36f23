import { describe, expect, it } from 'vitest';
import {
  countPoints,
  intervalStart,
  parseGranularity,
  parseInstant,
} from '../../../../src/areas/cdn/client/metrics-range.ts';

describe('a time', () => {
  const moment = Date.UTC(2026, 10, 1, 12);

  it.each([
    ['2026-11-01T12:00:00Z', moment],
    ['2026-11-01T12:00:00.250Z', moment + 250],
    ['2026-11-01T14:00:00+0200', moment],
    ['2026-11-01T14:00:00+02:00', moment],
    ['2026-11-01T06:30:00.5-0530', moment + 500],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ])('%s is read', (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2026-11-01',
    '2026-11-01T12:00:00',
    '2026-11-01 12:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-01T24:00:00Z',
    '2026-11-01T12:60:00Z',
    '2026-11-01T12:00:00+9900',
    '2026-11-01T12:00:00 Europe/Luxembourg',
    '1795000000',
  ])('%j is rejected', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

const monthsAnd = (months: number, milliseconds: number) => ({ months, milliseconds });

describe('a granularity', () => {
  it.each([
    ['PT1M', monthsAnd(0, 60_000)],
    ['PT90M', monthsAnd(0, 5_400_000)],
    ['PT1H30M', monthsAnd(0, 5_400_000)],
    ['P1D', monthsAnd(0, 86_400_000)],
    ['P1DT12H', monthsAnd(0, 129_600_000)],
    ['P1M', monthsAnd(1, 0)],
    ['P1Y6M', monthsAnd(18, 0)],
    ['P1Y2M3DT4H5M', monthsAnd(14, 273_900_000)],
  ])('%s is read', (text, expected) => {
    expect(parseGranularity(text)).toEqual(expected);
  });

  it.each([
    '',
    'P',
    'PT',
    'P1DT',
    '1D',
    'PT1S',
    'PT60S',
    'P1W',
    'PT0M',
    'P0D',
    'P0M',
    'P1D1M',
    'PT-1M',
    'pt1m',
    'PT1.5H',
    'P1001Y',
    'P999999D',
    `P${'9'.repeat(20)}D`,
  ])('%j is rejected', (text) => {
    expect(parseGranularity(text)).toBeUndefined();
  });
});

describe('intervals', () => {
  it.each([
    [3600, 60, 60],
    [3601, 60, 61],
    [59, 60, 1],
  ])('in %d at %d are %d points, rounded up', (length, granularity, points) => {
    expect(countPoints(0, length, monthsAnd(0, granularity))).toBe(points);
  });

  it.each([
    ['2026-01-01', '2027-01-01', 'P1M', 12],
    ['2026-01-01', '2027-01-02', 'P1M', 13],
    ['2026-01-31', '2026-03-01', 'P1M', 2],
    ['2024-02-01', '2024-03-01', 'P1M', 1],
    ['2000-01-01', '2026-01-01', 'P1Y', 26],
    ['1900-01-01', '2300-01-01', 'P1M', 4800],
  ])('from %s to %s at %s are %d points, by the calendar', (from, to, duration, points) => {
    const granularity = parseGranularity(duration) ?? monthsAnd(0, 0);
    expect(countPoints(Date.parse(from), Date.parse(to), granularity)).toBe(points);
  });

  it('begin on the same day of each month, or on its last', () => {
    const from = Date.parse('2026-01-31T06:00:00Z');
    const starts = [0, 1, 2].map((index) =>
      new Date(intervalStart(from, monthsAnd(1, 0), index)).toISOString(),
    );
    expect(starts).toEqual([
      '2026-01-31T06:00:00.000Z',
      '2026-02-28T06:00:00.000Z',
      '2026-03-31T06:00:00.000Z',
    ]);
  });
});
