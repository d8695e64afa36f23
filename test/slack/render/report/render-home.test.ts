import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Item } from '../../../../src/model/report.ts';
import { renderHome } from '../../../../src/slack/handle/home.ts';
import { runs } from '../../limits-hold.ts';
import { hostileItem, hostileText } from '../../hostile.ts';
import { outline } from '../../outline.ts';
import { beyondLimits, messageProblems } from '../../within-limits.ts';
import { alice } from '../../../people.ts';

const reboot: Item = {
  title: 'Reboot web-1',
  state: 'proposed',
  id: 'r-7k3m9qpd',
  by: alice,
  at: 1_763_700_000_000,
  why: 'stuck since the deploy',
  link: 'https://acme.slack.com/archives/C0OPS/p1',
  buttons: [{ action: 'inspect', text: 'Review…', value: 'r-7k3m9qpd' }],
};

test('the Home tab shows what waits, what one may do and what was done', () => {
  const view = renderHome({
    commands: [{ usage: '/cloud reboot <instance>', summary: 'Reboot an instance.' }],
    open: [reboot],
    recent: [{ ...reboot, state: 'succeeded', link: undefined, buttons: [] }],
    notices: ['Local service: nothing real is touched'],
  });
  expect(outline(view.blocks)).toMatchInlineSnapshot(`
    "header: Bellhop
    section: Reboot, inspect and change from any channel. Changes follow your rules, run once and are recorded.
    small: ⚠️ Local service: nothing real is touched
    header: Open requests
    section: ❔ *Reboot web-1* proposed ⏎ <@U0ALICE> <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · r-7k3m9qpd · <https://acme.slack.com/archives/C0OPS/p1|Open the card> ⏎ “stuck since the deploy”
    button: [Review…] inspect=r-7k3m9qpd
    header: What you may do
    section: \`/cloud reboot &lt;instance&gt;\` Reboot an instance.
    small: Some channels let you do more: type \`/bellhop help\` there.
    header: Recent
    section: ✅ *Reboot web-1* succeeded ⏎ <@U0ALICE> <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · r-7k3m9qpd ⏎ “stuck since the deploy”"
  `);
});

test('the Home tab says so where there is nothing', () => {
  const view = renderHome({ commands: [], open: [], recent: [], notices: [] });
  expect(outline(view.blocks)).toMatchInlineSnapshot(`
    "header: Bellhop
    section: Reboot, inspect and change from any channel. Changes follow your rules, run once and are recorded.
    header: Open requests
    section: Nothing waits.
    header: What you may do
    section: Nothing outside of channels: type \`/bellhop help\` in one, or ask whoever keeps \`bellhop.yaml\` to add you to a role.
    header: Recent
    section: Nothing yet."
  `);
});

test('the Home tab counts what it does not list', () => {
  const view = renderHome({
    commands: Array.from({ length: 33 }, () => ({ usage: '/cloud ips', summary: 'List.' })),
    open: Array.from({ length: 14 }, () => reboot),
    recent: Array.from({ length: 11 }, () => reboot),
    notices: [],
  });
  expect(outline(view.blocks).match(/and \d+ more: `.*`/gu)).toEqual([
    'and 2 more: `/bellhop requests`',
    'and 3 more: `/bellhop help`',
    'and 1 more: `/bellhop requests`',
  ]);
});

test('the Home tab fits into a view, whatever it lists', () => {
  fc.assert(
    fc.property(fc.array(hostileItem, { maxLength: 20 }), hostileText, (items, text) => {
      const commands = items.map(() => ({ usage: text, summary: text }));
      const view = renderHome({ commands, open: items, recent: items, notices: [text] });
      expect(beyondLimits(view)).toEqual([]);
      const escaped = messageProblems({ text: 'Home', blocks: view.blocks }).filter((one) =>
        one.startsWith('unescaped'),
      );
      expect(escaped).toEqual([]);
    }),
    runs(200),
  );
});
