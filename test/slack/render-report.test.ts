import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { report, type ReportParts } from '../../src/core/report.ts';
import { pageReport } from '../../src/slack/page-report.ts';
import { parseReadAction } from '../../src/slack/read-actions.ts';
import { type ReportOptions, renderReport } from '../../src/slack/render-report.ts';
import { hostileReport } from './a-request.ts';
import { runs } from './holds.ts';
import { hostileText } from './hostile.ts';
import { outline, outlineMessage } from './outline.ts';
import { messageProblems } from './within-limits.ts';

const options: ReportOptions = {
  words: '/cloud ips',
  shareable: true,
  modern: true,
  now: 1_763_700_000_000,
  notices: [],
};
const shown = (parts: ReportParts, changes: Partial<ReportOptions> = {}): string =>
  outlineMessage(renderReport(report.parse(parts), { ...options, ...changes }));

const aFact = (value: string): string => shown({ title: 'T', facts: [{ label: 'L', value }] });

const ips = (count: number): ReportParts => ({
  title: 'Floating IPs',
  headline: `${count} free in Luxembourg-2`,
  tables: [
    {
      caption: 'Floating IPs',
      columns: [{ label: 'Address' }, { label: 'Number', numeric: true }],
      rows: Array.from({ length: count }, (_, index) => [
        `10.0.${Math.floor(index / 256)}.${index % 256}`,
        index,
      ]),
    },
  ],
  csv: { fileName: 'ips.csv', columns: ['Address'], rows: [] },
});

const metrics: ReportParts = {
  title: '5xx',
  tone: 'bad',
  headline: '1,234 errors, 0.4 % of all',
  facts: [{ label: 'Worst', value: '12:05' }],
  charts: [
    {
      kind: 'line',
      title: 'Errors',
      unit: 'requests',
      labels: ['12:00', '12:05', '12:10'],
      series: [{ name: '5xx', values: [10, 1_200.5, null] }],
    },
  ],
  notes: ['The last 5 minutes are not complete.'],
};

describe('an answer', () => {
  test('says first what matters, then charts, then small print', () => {
    expect(shown(metrics)).toMatchInlineSnapshot(`
      "text: 5xx · 1,234 errors, 0.4 % of all · Worst: 12:05
      header: ❌ 5xx
      section: *1,234 errors, 0.4 % of all*
      field: *Worst* ⏎ 12:05
      chart: {"type":"line","series":[{"name":"5xx","data":[{"label":"12:00","value":10},{"label":"12:05","value":1200.5}]}],"axis_config":{"categories":["12:00","12:05"],"y_label":"requests"}}
      small: The last 5 minutes are not complete.
      small: 1 of 3 points have no value and are not in the chart.
      small: read <!date^1763700000^{time}|04:40 UTC>
      button: [Refresh] read:refresh={"words":"/cloud ips","page":0}
      button: [Share in channel] read:share={"words":"/cloud ips","page":0}"
    `);
  });

  test('carries the same numbers as text where the workspace takes no charts', () => {
    expect(shown(metrics, { modern: false })).toMatchInlineSnapshot(`
      "text: 5xx · 1,234 errors, 0.4 % of all · Worst: 12:05
      header: ❌ 5xx
      section: *1,234 errors, 0.4 % of all*
      field: *Worst* ⏎ 12:05
          Errors (requests)
          12:00       10
          12:05  1,200.5  ████████████████
      small: The last 5 minutes are not complete.
      small: 1 of 3 points have no value and are not in the chart.
      small: read <!date^1763700000^{time}|04:40 UTC>
      button: [Refresh] read:refresh={"words":"/cloud ips","page":0}
      button: [Share in channel] read:share={"words":"/cloud ips","page":0}"
    `);
  });

  test('names people where Slack can: by id, those of the own team', () => {
    const facts = [{ label: 'People', value: 'U0CAROL, T1/U0SARA', people: ['U0CAROL', 'T1/U0SARA'] }];
    const said = shown({ title: 'May you?', facts });
    expect(said).toContain('field: *People* ⏎ <@U0CAROL>, T1/U0SARA');
    expect(said).toContain('text: May you? · People: U0CAROL, T1/U0SARA');
    const crowd = [{ label: 'People', value: '', people: Array.from({ length: 23 }, (_, at) => `U${at}`) }];
    expect(shown({ title: 'May you?', facts: crowd })).toContain('<@U19>, and 3 more');
  });

  test('keeps the lines of a fact, unless they are many', () => {
    expect(aFact('one  two\n\n<three>\n')).toContain('field: *L* ⏎ one two ⏎ &lt;three&gt;\n');
    expect(aFact('x\n'.repeat(13))).toContain(`field: *L* ⏎ ${'x '.repeat(13).trim()}\n`);
  });

  test('is a table with the means to page, refresh, share and get all', () => {
    expect(shown(ips(21), { page: 1 })).toMatchInlineSnapshot(`
      "text: Floating IPs · 21 free in Luxembourg-2
      header: Floating IPs
      table: Floating IPs · row 21 of 21
        | Address | Number
        | 10.0.0.20 | 20
      small: page 2 of 2 · read <!date^1763700000^{time}|04:40 UTC>
      button: [Previous page] read:earlier={"words":"/cloud ips","page":0}
      button: [Refresh] read:refresh={"words":"/cloud ips","page":1}
      button: [Share in channel] read:share={"words":"/cloud ips","page":1}
      button: [CSV of all] read:csv={"words":"/cloud ips","page":0}"
    `);
    expect(shown(ips(2), { modern: false })).toMatchInlineSnapshot(`
      "text: Floating IPs · 2 free in Luxembourg-2
      header: Floating IPs
      section: *2 free in Luxembourg-2*
      section: *Floating IPs*
          Address   Number
          10.0.0.0       0
          10.0.0.1       1
      small: read <!date^1763700000^{time}|04:40 UTC>
      button: [Refresh] read:refresh={"words":"/cloud ips","page":0}
      button: [Share in channel] read:share={"words":"/cloud ips","page":0}
      button: [CSV of all] read:csv={"words":"/cloud ips","page":0}"
    `);
  });

  test('without its command has no buttons, and says that there is more', () => {
    const message = renderReport(report.parse(ips(30)), {
      shareable: true,
      modern: true,
      now: 0,
      notices: [],
    });
    expect(outline(message.blocks)).toContain('page 1 of 2 · the rest is not shown here');
    expect(outline(message.blocks)).not.toContain('button:');
  });

  test('whose command is too long for a button has none', () => {
    expect(shown(ips(2), { words: `/cloud ips ${'x'.repeat(2_000)}` })).not.toContain('button:');
  });

  test('says that the service is local, in blocks and in the text', () => {
    const message = renderReport(report.parse(ips(2)), {
      ...options,
      notices: ['Local service: nothing real'],
    });
    expect(message.text).toContain('Local service: nothing real');
    expect(outline(message.blocks)).toContain('Local service: nothing real');
  });

  test('shows the last page where a later one is asked for', () => {
    expect(shown(ips(30), { page: 99 })).toContain('page 2 of 2');
  });

  test('with an empty table says so', () => {
    expect(
      shown({ title: 'T', tables: [{ caption: 'Rows', columns: [{ label: 'a' }], rows: [] }] }),
    ).toContain('*Rows* ⏎ Nothing to show.');
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

describe('a button under an answer', () => {
  test('brings back the command and the page', () => {
    const pressed = /read:later=(\{.*\})/u.exec(shown(ips(50)))?.[1];
    expect(parseReadAction(pressed)).toEqual({ words: '/cloud ips', page: 1 });
  });

  test.each([
    undefined,
    '',
    'x',
    '[]',
    '{"words":"","page":0}',
    '{"words":"/a b","page":-1}',
    '{"words":"/a b"}',
    '"'.repeat(3_000),
  ])('with a forged value brings back nothing: %s', (value) =>
    expect(parseReadAction(value)).toBeUndefined(),
  );
});

describe('any answer', () => {
  test('is within the limits of Slack and escaped, on every page, with and without the newer blocks', () => {
    fc.assert(
      fc.property(hostileReport, hostileText, fc.boolean(), fc.nat(5), (any, words, modern, page) => {
        const message = renderReport(any, { ...options, words, modern, page, notices: [words] });
        expect(messageProblems(message)).toEqual([]);
      }),
      runs(300),
    );
  });
});
