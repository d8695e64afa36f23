import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { report, type ReportParts } from '../../../src/model/report.ts';
import { pageReport } from '../../../src/slack/render/report/page-report.ts';
import {
  type ReportOptions,
  parseReadAction,
  renderReport,
} from '../../../src/slack/render/report/report.ts';
import { runs } from '../limits-hold.ts';
import { hostileText, hostileReport } from '../hostile.ts';
import { outline, outlineMessage } from '../outline.ts';
import { messageProblems } from '../within-limits.ts';
import { factOf, commaSeparated } from '../../../src/text/parts.ts';

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
      small: The chart omits 1 of 3 points, which have no value.
      small: as of <!date^1763700000^{time}|04:40 UTC>
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
      small: The chart omits 1 of 3 points, which have no value.
      small: as of <!date^1763700000^{time}|04:40 UTC>
      button: [Refresh] read:refresh={"words":"/cloud ips","page":0}
      button: [Share in channel] read:share={"words":"/cloud ips","page":0}"
    `);
  });

  test('names people where Slack can: by id, of any team', () => {
    const people = [{ person: 'U0CAROL' }, { person: 'T1/U0SARA' }];
    const facts = [factOf('People', commaSeparated(people))];
    const said = shown({ title: 'May you?', facts });
    expect(said).toContain('field: *People* ⏎ <@U0CAROL>, <@U0SARA>');
    expect(said).toContain('text: May you? · People: <@U0CAROL>, <@U0SARA>');
    const crowd = Array.from({ length: 400 }, (_, index) => ({ person: `U${index}` }));
    const long = shown({ title: 'May you?', facts: [factOf('People', commaSeparated(crowd))] });
    expect(long).toMatch(/field: .*<@U\d+>(?:, )?…$/mu);
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
      small: page 2 of 2 · as of <!date^1763700000^{time}|04:40 UTC>
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
      small: as of <!date^1763700000^{time}|04:40 UTC>
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
    expect(outline(message.blocks)).toContain('page 1 of 2 · narrow the command to see');
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

const element = (one: object) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [one] }],
});

describe('an answer with moments, people and channels', () => {
  const at = 1_763_700_000_000;
  const when = '<!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC>';
  const parts: ReportParts = {
    title: 'Audit',
    facts: [
      factOf('Since', ['rules of ', { at }, ' <b>']),
      factOf('Where', [{ channel: 'C0OPS' }, ' ', { usergroup: 'S0ONCALL' }]),
    ],
    tables: [
      {
        caption: 'Newest first',
        columns: [{ label: 'Time' }, { label: 'Who' }, { label: 'What' }, { label: 'Why' }],
        rows: [
          [{ at }, { person: 'U0BOB' }, 'read <x>', ''],
          [{ at }, { person: 'no id <!here>' }, 'read', 'because'],
        ],
      },
    ],
  };

  test("names them in the reader's own way, in facts, in tables and in what is read out", () => {
    const { text, blocks } = renderReport(report.parse(parts), options);
    expect(text).toBe(`Audit · Since: rules of ${when} &lt;b&gt; · Where: <#C0OPS> <!subteam^S0ONCALL>`);
    expect(outline(blocks)).toContain(`field: *Since* ⏎ rules of ${when} &lt;b&gt;`);
    const table = blocks.find(({ type }) => type === 'data_table');
    expect(table).toMatchObject({
      rows: [
        {},
        [
          element({ type: 'date', timestamp: at / 1000, format: '{date_short} {time}' }),
          element({ type: 'user', user_id: 'U0BOB' }),
          { text: 'read <x>' },
          {},
        ],
        [{}, element({ type: 'text', text: 'no id <!here>' }), {}, {}],
      ],
    });
  });

  test('names them in lines where the workspace takes no native table', () => {
    expect(shown(parts, { modern: false })).toContain(
      `section: • ${when} · <@U0BOB> · read &lt;x&gt; ⏎ • ${when} · no id &lt;!here&gt; · read · because\n`,
    );
  });
});

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
