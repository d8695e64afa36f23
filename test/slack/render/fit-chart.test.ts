import { describe, expect, test } from 'vitest';

import type { Chart } from '../../../src/model/values/report.ts';
import { fitChart } from '../../../src/slack/render/chart.ts';

const chart = (changes: Partial<Chart>): Chart => ({
  kind: 'line',
  title: 'Errors',
  unit: 'requests',
  labels: ['a', 'b'],
  series: [{ name: 's', values: [1, 2] }],
  ...changes,
});
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const labels = (count: number): string[] => numbers(count).map((number) => `t${number}`);

describe('a chart beyond what Slack draws', () => {
  test('averages neighbouring points of a line and says so', () => {
    const fitted = fitChart(chart({ labels: labels(40), series: [{ name: 's', values: numbers(40) }] }));
    expect(fitted.labels.length).toBe(20);
    expect(fitted.labels[1]).toBe('t2');
    expect(fitted.series[0]?.values.slice(0, 3)).toEqual([0.5, 2.5, 4.5]);
    expect(fitted.notes).toEqual(['Each point of the chart combines 2 values, averaged.']);
  });

  test('adds up neighbouring points where the chart says so, in groups that end with the last', () => {
    const counts = chart({ labels: labels(41), merge: 'sum', series: [{ name: 's', values: numbers(41) }] });
    const fitted = fitChart(counts);
    expect(fitted.labels).toEqual(labels(41).filter((_, index) => index % 3 === 2));
    expect(fitted.series[0]?.values).toEqual(fitted.labels.map((_, index) => 9 * index + 9));
    expect(fitted.notes).toEqual([
      'Each point of the chart combines 3 values, added up.',
      'The chart omits the first 2 of 41 values, because each point combines 3.',
    ]);
  });

  test.each([21, 23, 39, 58, 60, 61, 100, 119, 1439])('draws %i equal counts as a level line', (count) => {
    const counts = chart({
      labels: labels(count),
      merge: 'sum',
      series: [{ name: 's', values: numbers(count).map(() => 5) }],
    });
    const { series, labels: drawn } = fitChart(counts);
    expect(new Set(series[0]?.values).size).toBe(1);
    expect(drawn.length).toBeLessThanOrEqual(20);
  });

  test('makes no fall of a count that is missing', () => {
    const values = numbers(40).map((number) => (number === 10 ? null : 5));
    const fitted = fitChart(chart({ labels: labels(40), merge: 'sum', series: [{ name: 's', values }] }));
    expect(new Set(fitted.series[0]?.values)).toEqual(new Set([10]));
    expect(fitted.notes).toContain('The chart omits points without a value: 1 of 20.');
  });

  test('averages the first ones too, however few', () => {
    const fitted = fitChart(chart({ labels: labels(41), series: [{ name: 's', values: numbers(41) }] }));
    expect(fitted.series[0]?.values.slice(0, 2)).toEqual([0.5, 3]);
    expect(fitted.notes).toEqual([
      'Each point of the chart combines 3 values, averaged; the first point combines 2.',
    ]);
  });

  test('averages only what is known', () => {
    const values = numbers(40).map((number) => (number % 2 === 0 ? null : number));
    expect(
      fitChart(chart({ labels: labels(40), series: [{ name: 's', values }] })).series[0]?.values[0],
    ).toBe(1);
  });

  test('shows the first bars and says of how many', () => {
    const fitted = fitChart(
      chart({ kind: 'bar', labels: labels(57), series: [{ name: 's', values: numbers(57) }] }),
    );
    expect(fitted.series[0]?.values).toEqual(numbers(20));
    expect(fitted.notes).toEqual(['The chart shows the first 20 of 57 bars.']);
  });

  test('shows six series and says of how many', () => {
    const fitted = fitChart(chart({ series: labels(9).map((name) => ({ name, values: [1, 2] })) }));
    expect(fitted.series.map(({ name }) => name)).toEqual(labels(6));
    expect(fitted.notes).toEqual(['The chart shows the first 6 of 9 series.']);
  });

  test('omits a label without a value instead of drawing a zero, and says so', () => {
    const fitted = fitChart(chart({ series: [{ name: 's', values: [1, null] }] }));
    expect([fitted.labels, fitted.series[0]?.values]).toEqual([['a'], [1]]);
    expect(fitted.notes).toEqual(['The chart omits points without a value: 1 of 2.']);
  });

  describe('with the line of the period before', () => {
    const now = { name: '5xx', values: [1, 2] };

    test('draws it after the others, under its own name', () => {
      const fitted = fitChart(chart({ series: [now, { name: '5xx', values: [3, 4], earlier: true }] }));
      expect(fitted.series).toEqual([now, { name: 'before: 5xx', values: [3, 4] }]);
    });

    test.each([
      ['has a gap', [now, { name: '5xx', values: [3, null], earlier: true }], ['5xx']],
      [
        'has no room',
        [...labels(6).map((name) => ({ name, values: [1, 2] })), { ...now, earlier: true }],
        ['t0', 't1', 't2', 't3', 't4', 't5'],
      ],
    ])('leaves it out where it %s, and nothing else', (_, series, drawn) => {
      const fitted = fitChart(chart({ series }));
      expect(fitted.series.map(({ name }) => name)).toEqual(drawn);
      expect([fitted.labels, fitted.notes]).toEqual([['a', 'b'], []]);
    });
  });

  test('tells labels apart that are alike after clipping', () => {
    const long = 'a-label-of-more-than-twenty';
    const fitted = fitChart(chart({ labels: [`${long}-1`, `${long}-2`] }));
    expect(fitted.labels).toEqual(['a-label-of-more-tha…', 'a-label-of-more… (2)']);
  });
});

describe('a pie beyond what Slack draws', () => {
  test('keeps the largest slices, adds up the rest and says so', () => {
    const pie = fitChart(
      chart({ kind: 'pie', labels: labels(9), series: [{ name: 's', values: numbers(9) }] }),
    );
    expect(pie.labels.map((label, index) => ({ label, value: pie.series[0]?.values[index] }))).toEqual([
      { label: 't8', value: 8 },
      { label: 't7', value: 7 },
      { label: 't6', value: 6 },
      { label: 't5', value: 5 },
      { label: 't4', value: 4 },
      { label: '3 others', value: 6 },
    ]);
    expect(pie.notes).toEqual([
      'The chart omits values of zero or less: 1 of 9.',
      'The chart adds up the 3 smallest values.',
    ]);
  });
});
