import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { splitWords } from '../../../src/command/grammar/words.ts';
import { rescue } from '../../../src/model/values/errors.ts';
import { quoteWord } from '../../../src/text/words.ts';
import { linkText } from '../../../src/slack/handle/command.ts';
import { runs } from '../../slack/limits-hold.ts';
import { input, openWorkspace } from './workspace.ts';
import { codeOf, message, text } from './sent-payloads.ts';

const lettersOf = (from: string): string => from.replaceAll(/[^a-z\d]/giu, '');

describe('what people type and paste', () => {
  const reboot = '/cloud reboot web-2';
  it.each<[what: string, payload: object, words: string]>([
    ['our own hint, copied', message([text(' '), codeOf('reboot web-2')]), reboot],
    ['with its area', message([text(': '), codeOf('cloud reboot web-2'), text(' ')]), reboot],
    ['with its slash', message([text(' '), codeOf('/cloud reboot web-2')]), reboot],
    ['half in code', message([text(' '), codeOf('reboot'), text(' '), codeOf('web-2')]), reboot],
    [
      'with a reason behind it',
      message([text(' '), codeOf('reboot web-2'), text(' --reason disk')]),
      `${reboot} --reason disk`,
    ],
    [
      'of which a part is bold',
      message([text(' '), codeOf('reboot '), text('web-2', { code: true, bold: true })]),
      reboot,
    ],
    [
      'with a link in its code',
      message([
        text(' '),
        codeOf('reboot web-2 --reason '),
        { type: 'link', url: 'https://monitor.example.com/7', style: { code: true } },
      ]),
      `${reboot} --reason https://monitor.example.com/7`,
    ],
    [
      'an attachment that Slack makes of an address',
      message([
        text(' reboot web-2 --reason "see '),
        { type: 'attachment_mention', url: 'https://github.com/acme/shop/issues/7', text: 'shop#7' },
        text('"'),
      ]),
      `${reboot} --reason "see https://github.com/acme/shop/issues/7"`,
    ],
    ['without blocks', message([], { blocks: undefined, text: '<@U0BELLHOP> `reboot web-2`' }), reboot],
    ['as a slash command', { ...input('command'), text: '`reboot web-2`' }, reboot],
    [
      'a color',
      message([text(' reboot web-2 --reason "is '), { type: 'color', value: '#fade12' }, text('"')]),
      `${reboot} --reason "is #fade12"`,
    ],
    [
      'a date, a broadcast, a group and an emoji',
      message([
        text(' reboot web-2 --reason "'),
        { type: 'date', timestamp: 1795230000, format: '{date_num}', fallback: '2026-11-21' },
        text(' '),
        { type: 'broadcast', range: 'here' },
        text(' '),
        { type: 'usergroup', usergroup_id: 'S0ONCALL' },
        text(' '),
        { type: 'emoji', name: 'fire', unicode: '1f525' },
        text('"'),
      ]),
      `${reboot} --reason "2026-11-21 @here @S0ONCALL :fire:"`,
    ],
    [
      'groups and dates of a slash command',
      {
        ...input('command'),
        text: 'reboot web-2 --reason "<!subteam^S0ONCALL|@oncall> <!here> <!date^1795230000^{date_num}|2026-11-21>"',
      },
      `${reboot} --reason "@oncall @here 2026-11-21"`,
    ],
    [
      'a number that a phone made a link',
      {
        ...input('command'),
        text: 'reboot <tel:1186668|1186668>/76/<tel:6c6aa80f|6c6aa80f>-7836-4dc2-a2ae-125e248be476',
      },
      '/cloud reboot 1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476',
    ],
  ])('%s', async (_, payload, words) => {
    const world = await openWorkspace();
    await world.send(payload);
    expect(await world.requests()).toMatchObject([{ words: expect.stringContaining(words) as string }]);
  });

  it.each([
    ['an element of a kind to come', { type: 'hologram', text: 'x' }, '“hologram”'],
    ['struck-through text', text(' reboot web-2', { strike: true }), 'struck-through text'],
  ])('%s is named', async (_, element, named) => {
    const world = await openWorkspace();
    await world.send(message([text(' reboot web-2 '), element]));
    expect(await world.requests()).toEqual([]);
    expect(world.heard().map((one) => one.text)).toEqual([
      `Write the command as plain text. Bellhop can't read ${named} in a message.`,
    ]);
  });

  it.each([
    ['tel:1186668', '1186668', '1186668'],
    ['tel:+49301186668', '+49 30 1186668', '+49 30 1186668'],
    ['tel:1186668', undefined, '1186668'],
    ['sip:alice@acme.example', 'alice@acme.example', 'alice@acme.example'],
    ['slack://user?id=U0', 'Alice', 'Alice'],
    ['http://Web-1.example.com/', 'Web-1.example.com', 'Web-1.example.com'],
    ['https://a.example/x', 'https://b.example', 'https://a.example/x'],
    ['mailto:alice@acme.example', 'bob@acme.example', 'mailto:alice@acme.example'],
  ])('the link %s with the label %s is %s', (address, label, read) => {
    expect(linkText(address, label)).toBe(read);
  });

  const pairs = [
    '""',
    '“”',
    '„“',
    '„”',
    '””',
    '»«',
    '«»',
    '‹›',
    '›‹',
    "''",
    '‘’',
    '‚‘',
    '‚’',
    '「」',
    '『』',
    '《》',
    '〈〉',
    '〝〞',
    '〝〟',
    '＂＂',
    '＇＇',
    '″″',
    '´´',
    '``',
    '´`',
  ];
  it.each(pairs)('quotes %s group a reason, even after a dash that a keyboard made', async (pair) => {
    const [opening = '', closer = ''] = pair;
    for (const words of [`—reason ${opening}Platte voll${closer}`, `--reason=${opening}Platte voll${closer}`])
      expect(splitWords(words).join('|')).toMatch(/^--reason[|=]Platte voll$/u);
    expect(splitWords(`« Platte voll »`)).toEqual(['Platte voll']);
  });

  it.each(['——', '––', '—', '–', '-—', '‑‑', '‐‐', '−−', '―', '－－'])(
    'the dashes %s before a name are those of an option',
    (dash) => {
      for (const words of [`${dash}reason full`, `${dash}reason="full"`])
        expect(splitWords(words).join('|')).toMatch(/^--reason[|=]full$/u);
      expect(splitWords(quoteWord(`${dash}reason`))).toEqual([`${dash}reason`]);
    },
  );

  it('typed quotes are read or refused, whatever they hold', () => {
    const quote = fc.constantFrom(...new Set(pairs.join('')));
    const piece = fc.oneof(quote, fc.constantFrom(' ', '--reason', '=', 'web-2', 'Platte', '\\', '\u00a0'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        const line = parts.join('');
        const read = rescue(
          () => lettersOf(splitWords(line).join('')),
          (error) => error.message,
        );
        expect([
          lettersOf(line),
          expect.stringMatching(/The quote before .* is never closed/u),
        ]).toContainEqual(read);
      }),
      runs(500),
    );
  });

  it('elements of a message are read, or the kind of one is named', async () => {
    const kind = fc.constantFrom(
      'text',
      'link',
      'user',
      'usergroup',
      'team',
      'broadcast',
      'channel',
      'emoji',
      'color',
      'date',
      'canvas',
    );
    const id = fc.constantFrom('U0BOB', 'S0ONCALL', 'web-2', 'here', '#fade12', ' x ');
    const element = fc.record(
      {
        type: kind,
        text: id,
        url: id,
        user_id: id,
        usergroup_id: id,
        team_id: id,
        range: id,
        channel_id: id,
        name: id,
        value: id,
        fallback: id,
        timestamp: fc.integer(),
      },
      { requiredKeys: ['type'] },
    );
    const world = await openWorkspace();
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(element, { maxLength: 4 }), async (elements) => {
        sent += 1;
        await world.send(message([text(' reboot nowhere '), ...elements], { ts: `1795230000.${sent}` }));
        const heard = world.heard();
        expect(heard).toHaveLength(1);
        const said = heard[0]?.text ?? '';
        const unread = elements.find(({ type }) => said.includes(`can't read “${type}”`));
        expect(unread !== undefined || !said.includes('plain text')).toBe(true);
      }),
      runs(60),
    );
  });
});
