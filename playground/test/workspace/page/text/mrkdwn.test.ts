import { describe, expect, it } from 'vitest';
import { type Inline, parseMrkdwn } from '../../../../workspace/page/text/mrkdwn.js';
import { formatSlackDate } from '../../../../workspace/page/text/slack-date.js';

/** The tree in one line: tags for what is drawn, so that the table below can be read. */
function drawn(text: string, options = {}): string {
  return parseMrkdwn(text, options)
    .map((paragraph) =>
      paragraph.kind === 'pre'
        ? `[pre ${paragraph.children.map(inline).join('')}]`
        : `${paragraph.kind === 'quote' ? '[quote ' : ''}${paragraph.lines.map((line) => line.map(inline).join('')).join('\n')}${paragraph.kind === 'quote' ? ']' : ''}`,
    )
    .join('');
}

function inline(node: Inline): string {
  if (node.kind === 'text') return node.text;
  if (node.kind === 'link') return `[link ${node.url} ${node.label}]`;
  if (node.kind === 'date') return `[date ${node.seconds} ${node.template} or ${node.fallback}]`;
  if (node.kind === 'everyone') return `[@${node.range}]`;
  if ('children' in node) return `[${node.kind} ${node.children.map(inline).join('')}]`;
  return `[${node.kind} ${node.id}${node.label === undefined ? '' : ` ${node.label}`}]`;
}

describe('mrkdwn', () => {
  it.each([
    ['*bold* _italic_ ~struck~', '[bold bold] [italic italic] [strike struck]'],
    ['*bold and _both_*', '[bold bold and [italic both]]'],
    ['(*bold*), "*bold*".', '([bold bold]), "[bold bold]".'],
    ['5 * 3 * 2', '5 * 3 * 2'],
    ['5*3*2', '5*3*2'],
    ['snake_case_name', 'snake_case_name'],
    ['_snake_case_', '[italic snake_case]'],
    ['* not bold *', '* not bold *'],
    ['*not\nbold*', '*not\nbold*'],
    ['*open', '*open'],
    ['**', '**'],
    ['`*code*` and `_x_`', '[code *code*] and [code _x_]'],
    ['*bold `a*b` bold*', '[bold bold [code a*b] bold]'],
    ['``', '``'],
    ['`a\nb`', '`a\nb`'],
    ['```\n*stars* &amp; `ticks`\n```', '[pre *stars* & `ticks`]'],
    ['before\n```one\ntwo```\nafter', 'before[pre one\ntwo]after'],
    ['``` never closed *b*', '``` never closed [bold b]'],
    ['&gt; quoted *b*\nnot', '[quote quoted [bold b]]not'],
    ['> one\n> two', '[quote one\ntwo]'],
    ['>>> one\ntwo', '[quote one\ntwo]'],
    ['a > b', 'a > b'],
    ['&lt;b&gt; &amp;amp; &quot;', '<b> &amp; &quot;'],
    ['<https://example.org/a_b_c|the *page*>', '[link https://example.org/a_b_c the *page*]'],
    [
      '<https://example.org/?a=1&amp;b=2>',
      '[link https://example.org/?a=1&b=2 https://example.org/?a=1&b=2]',
    ],
    ['<mailto:a@example.org|a@example.org>', '[link mailto:a@example.org a@example.org]'],
    ['see https://example.org/_a_/b.', 'see [link https://example.org/_a_/b https://example.org/_a_/b].'],
    ['(https://example.org/x)', '([link https://example.org/x https://example.org/x])'],
    ['<javascript:alert(1)|press>', 'press'],
    ['<JAVASCRIPT:alert(1)>', 'JAVASCRIPT:alert(1)'],
    ['<data:text/html,x|press>', 'press'],
    ['<vbscript:x|press>', 'press'],
    ['<file:///etc/passwd|press>', 'press'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['<@U0ALICE> and <@U0BOB|bob>', '[user U0ALICE] and [user U0BOB bob]'],
    ['<#C0OPS|ops> <#C0OPS>', '[channel C0OPS ops] [channel C0OPS]'],
    ['<!here> <!channel> <!everyone|all>', '[@here] [@channel] [@everyone]'],
    ['&lt;!channel&gt;', '<!channel>'],
    ['<!subteam^S0ONCALL|@oncall>', '[group S0ONCALL @oncall]'],
    ['<!date^1392734382^{date_num}|Feb>', '[date 1392734382 {date_num} or Feb]'],
    ['`<https://example.org|x>` `<@U0ALICE>`', '[code [link https://example.org/ x]] [code [user U0ALICE]]'],
    [':white_check_mark: :no_such: `:x:` 10:30:45', '✅ :no_such: [code :x:] 10:30:45'],
    ['• one\n• two', '• one\n• two'],
  ])('draws %j as %s', (source, expected) => {
    expect(drawn(source)).toBe(expected);
  });

  it('leaves bare addresses alone where the text is verbatim', () => {
    expect(drawn('https://example.org', { verbatim: true })).toBe('https://example.org');
  });

  it('keeps up with a long line of delimiters', () => {
    const started = performance.now();
    drawn('*a _b ~c `d <e '.repeat(200));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

/** Epoch seconds of a day in November 2026, in the zone of anyone who runs this. */
function at(hour: number, day = 21): number {
  return new Date(2026, 10, day, hour, 5, 9).getTime() / 1000;
}

describe('the dates of mrkdwn', () => {
  const now = new Date(2026, 10, 21, 12, 0, 0);
  it.each([
    ['{date_num} {time_secs}', at(9), '2026-11-21 09:05:09'],
    ['{date_short} at {time}', at(9, 3), '3 Nov 2026 at 09:05'],
    ['{date_pretty}', at(9), 'today'],
    ['{date_long_pretty}', at(9, 20), 'yesterday'],
    ['{ago}', at(11) - 9, '55 minutes ago'],
  ])('fills %s', (template, seconds, expected) => {
    expect(formatSlackDate(seconds, template, now)).toBe(expected);
  });

  it('rejects a number that is not a date, and an unknown token', () => {
    expect(formatSlackDate(1e18, '{date}', now)).toBeUndefined();
    expect(formatSlackDate(at(9), '{date} {unheard_of}', now)).toBeUndefined();
  });
});
