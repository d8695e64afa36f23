import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { report, type ReportParts } from '../../../src/model/values/report.ts';
import {
  type ReportOptions,
  copyView,
  parseReadAction,
  renderReport,
} from '../../../src/slack/render/report.ts';
import { runs } from '../limits-hold.ts';
import { hostileText, hostileReport } from '../hostile.ts';
import { outline, outlineMessage } from '../outline.ts';
import { messageProblems } from '../within-limits.ts';
import { ips, options } from './sample-report.ts';
import { factOf, commaSeparated } from '../../../src/text/parts.ts';

const shown = (parts: ReportParts, changes: Partial<ReportOptions> = {}): string =>
  outlineMessage(renderReport(report.parse(parts), { ...options, ...changes }));

const aFact = (value: string): string => shown({ title: 'T', facts: [{ label: 'L', value }] });

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
      axis: 'Time in UTC',
      labels: ['12:00', '12:05', '12:10'],
      series: [{ name: '5xx', values: [10, 1_200.5, null] }],
    },
  ],
  notes: ['The last 5 minutes are not complete.'],
};

const oldestFirst = (rows: number): ReportParts => ({ ...ips(rows), newestLast: true });
const rowsOn = (text: string): readonly string[] => text.match(/10\.0\.\d+\.\d+/gu) ?? [];

describe('an answer that is oldest first', () => {
  test('begins with its last page, which is full, and leads back', () => {
    const last = shown(oldestFirst(45));
    expect(rowsOn(last)).toEqual(Array.from({ length: 20 }, (_, at) => `10.0.0.${at + 25}`));
    expect(last).toContain('section: *45 free in Luxembourg-2*');
    expect(last).toContain('page 3 of 3');
    expect(last).toContain('[Previous page] read:earlier={"words":"/cloud ips","page":1}');
    expect(last).not.toContain('[Next page]');
    const first = shown(oldestFirst(45), { page: 0 });
    expect(rowsOn(first)).toEqual([0, 1, 2, 3, 4].map((at) => `10.0.0.${at}`));
    expect(first).not.toContain('section: *45 free');
  });

  test('stays on its last page when it is read again, however many rows came since', () => {
    const pressed = /\[Refresh\] read:refresh=(.*)/u.exec(shown(oldestFirst(45)))?.[1];
    const { page = 0 } = parseReadAction(pressed) ?? {};
    expect(rowsOn(shown(oldestFirst(70), { page })).at(-1)).toBe('10.0.0.69');
    expect(shown(oldestFirst(45), { page: 1 })).toContain(
      '[Refresh] read:refresh={"words":"/cloud ips","page":1}',
    );
  });
});

test.each([
  ['🔴', { state: 'no owner', sign: '🔴' }],
  ['🚨', { state: 'succeeded', sign: '🚨' }],
  ['✅', { state: 'succeeded' }],
  ['❓', { state: 'owned' }],
])('an item of a list begins with its own sign, or that of its state: %s', (sign, part) => {
  const item = { title: 'InstanceDown', id: 'a-1', at: 0, buttons: [], ...part };
  expect(shown({ title: 'Alerts', items: [item] })).toContain(`${sign} *InstanceDown*`);
});

test('a document is shown as plain text, which a button opens whole to copy', () => {
  const document = { fileName: 'timeline', text: '- \\*x\\*', plain: '*x*' };
  const said = shown({ title: 'T', document });
  expect(said).toContain('    *x*');
  expect(said).toContain('[Copy for the post-mortem] read:copy=');
  expect(shown({ title: 'T', document: { fileName: 'timeline', text: 'x' } })).not.toContain('Copy for');
  const long = { ...document, plain: 'a line\n'.repeat(10_000) };
  const { blocks } = copyView(long);
  expect(JSON.stringify(blocks).length).toBeLessThan(11_000 + 2_000);
  expect(JSON.stringify(blocks)).toContain('… the rest is in the file');
});

describe('an answer', () => {
  test('says first what matters, then charts, then small print', () => {
    expect(shown(metrics)).toMatchInlineSnapshot(`
      "text: 5xx · 1,234 errors, 0.4 % of all · Worst: 12:05
      header: ❌ 5xx
      section: *1,234 errors, 0.4 % of all*
      field: *Worst* ⏎ 12:05
      chart: {"type":"line","series":[{"name":"5xx","data":[{"label":"12:00","value":10},{"label":"12:05","value":1200.5}]}],"axis_config":{"categories":["12:00","12:05"],"x_label":"Time in UTC","y_label":"requests"}}
      small: The last 5 minutes are not complete.
      small: The chart omits points without a value: 1 of 3.
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
          Errors (requests; Time in UTC)
          12:00       10
          12:05  1,200.5  ████████████████
      small: The last 5 minutes are not complete.
      small: The chart omits points without a value: 1 of 3.
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
      button: [Full CSV] read:csv={"words":"/cloud ips","page":0}"
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
      button: [Full CSV] read:csv={"words":"/cloud ips","page":0}"
    `);
  });

  test('without its command has no buttons, and says that there is more', () => {
    const message = renderReport(report.parse(ips(30)), {
      shareable: true,
      modern: true,
      now: 0,
      disclaimers: [],
    });
    expect(outline(message.blocks)).toContain('page 1 of 2 · narrow the command to see');
    expect(outline(message.blocks)).not.toContain('button:');
    const inView = shown(ips(30), { words: undefined, typed: '/cloud ips' });
    expect(inView).toContain('page 1 of 2 · the other pages: type `/cloud ips`');
  });

  test('whose command is too long for a button has none', () => {
    expect(shown(ips(2), { words: `/cloud ips ${'x'.repeat(2_000)}` })).not.toContain('button:');
  });

  test('says that the service is local, in blocks and in the text', () => {
    const message = renderReport(report.parse(ips(2)), {
      ...options,
      disclaimers: ['Local service: nothing real'],
    });
    expect(message.text).toContain('Local service: nothing real');
    expect(outline(message.blocks)).toContain('Local service: nothing real');
  });

  test('shows the last page if a later one is requested', () => {
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
        const message = renderReport(any, { ...options, words, modern, page, disclaimers: [words] });
        expect(messageProblems(message)).toEqual([]);
      }),
      runs(100),
    );
  });
});
