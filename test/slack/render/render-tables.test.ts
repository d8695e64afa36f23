import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { report, type ReportParts } from '../../../src/model/values/report.ts';
import { pageReport } from '../../../src/slack/render/page-report.ts';
import { renderReport } from '../../../src/slack/render/report.ts';
import { runs } from '../limits-hold.ts';
import { hostileReport } from '../hostile.ts';
import { outline } from '../outline.ts';
import { ips, options } from './sample-report.ts';

test('a table that is read on a phone is lines, what matters first and in bold', () => {
  const table = {
    caption: 'Newest first',
    lines: true,
    columns: [{ label: 'Outcome' }, { label: 'Why' }, { label: 'What' }],
    rows: [
      ['failed', '“<!here> *a*”', 'cloud reboot web-1'],
      ['succeeded', '', 'cloud stop web-2'],
    ],
  };
  const { blocks } = renderReport(report.parse({ title: 'Audit', tables: [table] }), options);
  expect(blocks.map((block) => ('text' in block ? block.text?.text : ''))).toContain(
    '• *failed* · “&lt;!here&gt; <!date^00000000^{_}|*>a<!date^00000000^{_}|*>” · cloud reboot web-1\n• *succeeded* · cloud stop web-2',
  );
});

describe('the tables of a message', () => {
  const two: ReportParts = {
    title: 'Events',
    tables: ['Space', 'Traffic'].map((caption) => ({
      caption,
      columns: [{ label: 'Bucket' }, { label: 'Bytes', numeric: true }],
      rows: Array.from({ length: 15 }, (_, index) => [`${caption}-${index}`, index]),
    })),
  };

  test('are one native one and text, with the same rows; a further page begins with a native one', () => {
    const pages = [0, 1].map((page) => renderReport(report.parse(two), { ...options, page }).blocks);
    const natives = pages.map((blocks) => blocks.filter(({ type }) => type === 'data_table').length);
    expect(natives).toEqual([1, 1]);
    const said = pages.map((blocks) => outline(blocks));
    expect(said[0]).toContain(
      'section: *Traffic* · rows 1–5 of 15\n    Bucket     Bytes\n    Traffic-0      0',
    );
    expect(said[1]).toContain('table: Traffic · rows 6–15 of 15');
  });

  test('are never two native ones, whatever the report', () => {
    fc.assert(
      fc.property(hostileReport, fc.nat(3), (any, page) => {
        const { blocks } = renderReport(any, { ...options, page });
        expect(blocks.filter(({ type }) => type === 'data_table').length).toBeLessThanOrEqual(1);
      }),
      runs(100),
    );
  });
});

describe('the pages of an answer', () => {
  test.each([1, 20, 21, 312, 10_000])('of %i rows show every row once', (count) => {
    const rows = pageReport(report.parse(ips(count)), true).flatMap(({ tables }) =>
      tables.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)),
    );
    expect(rows).toEqual(Array.from({ length: count }, (_, index) => index));
  });

  test('hold every fact, item, chart and row of any report once, in order', () => {
    fc.assert(
      fc.property(hostileReport, fc.boolean(), (any, modern) => {
        const pages = pageReport(any, modern);
        expect(pages.flatMap(({ facts }) => facts)).toEqual(any.facts);
        expect(pages.flatMap(({ items }) => items)).toEqual(any.items);
        expect(pages.flatMap(({ charts }) => charts).length).toBe(any.charts.length);
        for (const table of any.tables) {
          const slices = pages.flatMap(({ tables }) => tables.filter((slice) => slice.table === table));
          expect(slices.map(({ from }) => from)).toEqual([0, ...slices.slice(0, -1).map(({ to }) => to)]);
          expect(slices.at(-1)?.to).toBe(table.rows.length);
        }
      }),
      runs(200),
    );
  });
});
