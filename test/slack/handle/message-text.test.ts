import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { commandText } from '../../../src/slack/handle/command.ts';
import { askedIn } from '../../../src/slack/handle/message.ts';
import { personMessage } from '../../../src/slack/receive/payload-schemas.ts';
import { runs } from '../limits-hold.ts';

const bot = 'U0BELLHOP';
const base = { type: 'app_mention', channel: 'C0OPS', user: 'U0ALICE', ts: '1763700000.000100' };
const inText = (text: string, more: object = {}) =>
  askedIn(personMessage.parse({ ...base, text, ...more }), bot);
const direct = { type: 'message', channel_type: 'im', channel: 'D0ALICE' };

const mention = { type: 'user', user_id: bot };
const text = (typed: string, style?: object) => ({ type: 'text', text: typed, ...(style && { style }) });
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const inParts = (parts: readonly object[], more: object = {}) =>
  inText('the text is not looked at', { blocks: [{ type: 'rich_text', elements: parts }], ...more });
const inSection = (...elements: object[]) => inParts([section(...elements)]);

describe('a message that begins with the mention is a command', () => {
  it.each<[what: string, elements: object[], line: string]>([
    ['after the mention', [mention, text(' reboot web-1')], 'reboot web-1'],
    ['after white space and mentions', [text(' \n'), mention, text(' '), mention, text('ips')], 'ips'],
    ['after a colon', [mention, text(': reboot web-1')], 'reboot web-1'],
    ['with entities as they are', [mention, text(' can a && b &lt;c&gt;')], 'can a && b &lt;c&gt;'],
    [
      'with a host that Slack made a link',
      [
        mention,
        text(' reboot '),
        { type: 'link', url: 'http://web-1.example.com', text: 'web-1.example.com' },
      ],
      'reboot web-1.example.com',
    ],
    [
      'with the address of a link, whatever its label claims',
      [mention, text(' purge '), { type: 'link', url: 'https://a.example/x', text: 'https://b.example' }],
      'purge https://a.example/x',
    ],
    [
      'with people, channels and emoji by id',
      [
        mention,
        text(' can x --as '),
        { type: 'user', user_id: 'U0BOB' },
        text(' --in '),
        { type: 'channel', channel_id: 'C0OPS' },
        { type: 'emoji', name: 'fire' },
      ],
      'can x --as @U0BOB --in #C0OPS:fire:',
    ],
    ['with code as backticks', [mention, text(' '), text('reboot web-1', { code: true })], '`reboot web-1`'],
    ['in bold', [mention, text(' '), text('reboot web-1', { bold: true })], 'reboot web-1'],
    ['that asks for nothing', [mention], ''],
  ])('%s', (_, elements, line) => {
    expect(inSection(...elements)).toEqual({ line });
  });

  it.each([
    [`<@${bot}> reboot web-1`, 'reboot web-1'],
    [`  <@${bot}|bellhop>, <@U0BOB> &amp; \`web-1\``, '@U0BOB & `web-1`'],
    [`<@${bot}> reboot <http://web-1.example.com|web-1.example.com>`, 'reboot web-1.example.com'],
    [`<@${bot}> purge <https://a.example/x|https://b.example>`, 'purge https://a.example/x'],
  ])('also without blocks: %s', (typed, line) => {
    expect(inText(typed)).toEqual({ line });
  });

  it('needs no mention in a direct message', () => {
    expect(inText('reboot web-1', direct)).toEqual({ line: 'reboot web-1' });
    expect(inText(`<@${bot}> reboot web-1`, direct)).toEqual({ line: 'reboot web-1' });
    expect(inParts([section(text('reboot web-1'))], direct)).toEqual({ line: 'reboot web-1' });
  });
});

describe('a message that is not to Bellhop asks for nothing', () => {
  it.each<[what: string, parts: object[]]>([
    ['a mention in mid-sentence', [section(text('thanks '), mention, text(' reboot web-1'))]],
    ['a mention of someone else', [section({ type: 'user', user_id: 'U0BOB' }, text(' reboot web-1'))]],
    ['in code', [section({ ...mention, style: { code: true } }, text(' reboot web-1'))]],
    ['struck out', [section({ ...mention, style: { strike: true } }, text(' reboot web-1'))]],
    ['in a quote', [{ type: 'rich_text_quote', elements: [mention, text(' reboot web-1')] }]],
    ['in a block of code', [{ type: 'rich_text_preformatted', elements: [mention, text(' reboot web-1')] }]],
    ['in a list', [{ type: 'rich_text_list', elements: [section(mention, text(' reboot web-1'))] }]],
  ])('%s', (_, parts) => {
    expect(inParts(parts)).toBeUndefined();
  });

  it.each([
    'reboot web-1',
    `thanks <@${bot}> reboot web-1`,
    `\`<@${bot}> reboot web-1\``,
    `\`\`\`<@${bot}> reboot web-1\`\`\``,
    `&gt; <@${bot}> reboot web-1`,
    `&lt;@${bot}&gt; reboot web-1`,
    `<@U0BOB> reboot web-1`,
    `<@${bot}X> reboot web-1`,
  ])('also without blocks: %s', (typed) => {
    expect(inText(typed)).toBeUndefined();
  });
});

describe('a command that is not plain text is unclear', () => {
  it.each<[what: string, parts: object[]]>([
    [
      'a quote below it',
      [section(mention, text(' reboot web-1')), { type: 'rich_text_quote', elements: [text('x')] }],
    ],
    [
      'a block of code below it',
      [section(mention), { type: 'rich_text_preformatted', elements: [text('reboot web-1')] }],
    ],
    [
      'a list of commands',
      [section(mention), { type: 'rich_text_list', elements: [section(text('reboot'))] }],
    ],
    ['struck out', [section(mention, text(' reboot web-1', { strike: true }))]],
    ['an element of a kind to come', [section(mention, { type: 'hologram', text: 'reboot web-1' })]],
  ])('%s', (_, parts) => {
    expect(inParts(parts)).toBe('unclear');
  });

  it('also without blocks, and in a direct message', () => {
    expect(inText(`<@${bot}> reboot\n&gt; web-1`)).toBe('unclear');
    expect(inText(`<@${bot}> \`\`\`reboot web-1\`\`\``)).toBe('unclear');
    expect(inParts([{ type: 'rich_text_quote', elements: [text('reboot web-1')] }], direct)).toBe('unclear');
  });
});

it('a message too long for a command is left as it is, and refused for its length', () => {
  const line = `${'\n'.repeat(39_000)}\`\`\``;
  expect(inText(`<@${bot}>${line}x`)).toEqual({ line: `${line}x` });
  expect(inText('x'.repeat(20_000), direct)).toEqual({ line: 'x'.repeat(20_000) });
});

describe('whatever a message holds', () => {
  const style = fc.option(
    fc.record({ code: fc.boolean(), strike: fc.boolean(), bold: fc.boolean() }, { requiredKeys: [] }),
    { nil: undefined },
  );
  const element = fc.oneof(
    fc.constant(mention),
    fc.record({ type: fc.constant('text'), text: fc.string({ unit: 'binary' }), style }),
    fc.record({ type: fc.constant('user'), user_id: fc.constantFrom(bot, 'U0BOB'), style }),
    fc.record({
      type: fc.constant('link'),
      url: fc.string(),
      text: fc.option(fc.string(), { nil: undefined }),
    }),
    fc.record({ type: fc.string() }),
    fc.jsonValue(),
  );
  const hiding = fc.constantFrom('rich_text_quote', 'rich_text_preformatted', 'rich_text_list');
  const part = (type: fc.Arbitrary<string>) => fc.record({ type, elements: fc.array(element) });

  it('is read without an error', () => {
    const parts = fc.array(part(fc.oneof(fc.constant('rich_text_section'), hiding, fc.string())));
    fc.assert(
      fc.property(parts, fc.string({ unit: 'binary' }), fc.boolean(), (elements, typed, inDirect) => {
        const blocks = [{ type: 'rich_text', elements }];
        for (const read of [
          () => inText(typed, { blocks, ...(inDirect && direct) }),
          () => inText(`<@${bot}>${typed}`, inDirect ? direct : {}),
          () => commandText(typed),
        ])
          expect(read).not.toThrow();
      }),
      runs(300),
    );
  });

  it('is not a command if it begins in a quote, a list or code', () => {
    fc.assert(
      fc.property(part(hiding), fc.array(part(fc.constant('rich_text_section'))), (first, rest) => {
        expect(inParts([first, ...rest])).toBeUndefined();
        expect(inParts([first, ...rest], direct)).toBe('unclear');
      }),
      runs(300),
    );
  });

  it('is not a command if text precedes the mention', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (before) => {
        fc.pre(before.trim() !== '');
        expect(inSection(text(before), mention, text(' reboot web-1'))).toBeUndefined();
        expect(inText(`${before} <@${bot}> reboot web-1`)).toBeUndefined();
      }),
      runs(300),
    );
  });
});
