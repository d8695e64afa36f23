import { describe, expect, it } from 'vitest';
import {
  countPoints,
  granularityMilliseconds,
  parseInstant,
} from '../../../src/api/schemas/metrics-range.ts';

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
  ])('%j is none', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('a granularity', () => {
  it.each([
    ['PT1S', 1000],
    ['PT1M', 60_000],
    ['PT90M', 5_400_000],
    ['PT1H30M', 5_400_000],
    ['P1D', 86_400_000],
    ['P1DT12H', 129_600_000],
    ['P2W', 1_209_600_000],
  ])('%s is read', (text, expected) => {
    expect(granularityMilliseconds(text)).toBe(expected);
  });

  it.each([
    '',
    'P',
    'PT',
    'P1DT',
    '1D',
    'PT0S',
    'P0D',
    'P1M',
    'P1Y',
    'PT-1M',
    'pt1m',
    'PT1.5H',
    `P${'9'.repeat(20)}D`,
  ])('%j is none', (text) => {
    expect(granularityMilliseconds(text)).toBeUndefined();
  });
});

it.each([
  [3600, 60, 60],
  [3601, 60, 61],
  [59, 60, 1],
])('%d at %d are %d points, rounded up', (length, granularity, points) => {
  expect(countPoints(0, length, granularity)).toBe(points);
});
