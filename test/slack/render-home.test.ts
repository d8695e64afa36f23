import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { renderHome } from '../../src/slack/render-home.ts';
import { aRequest, confirmed, hostileRequest } from './a-request.ts';
import { runs } from './holds.ts';
import { hostileText } from './hostile.ts';
import { outline } from './outline.ts';
import { beyondLimits, messageProblems } from './within-limits.ts';

test('the Home tab shows what waits, what one may do and what was done', () => {
  const view = renderHome({
    commands: [{ usage: '/cloud reboot <instance>', summary: 'Reboot an instance.' }],
    open: [{ request: aRequest(), verb: 'reboot', risk: 'destructive', buttons: ['confirm', 'cancel'] }],
    recent: [
      { request: confirmed({ state: 'succeeded' }), verb: 'reboot', risk: 'destructive', buttons: [] },
    ],
    notices: ['Local service: nothing real is touched'],
  });
  expect(outline(view.blocks)).toMatchInlineSnapshot(`
    "header: Bellhop
    section: Reboot, look up, change: from any channel, confirmed, once, and on the record.
    small: ⚠️ Local service: nothing real is touched
    header: Open requests
    section: ❔ *Reboot web-1* proposed ⏎ <@U0ALICE> <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · r-7k3m9qpd ⏎ “stuck since the deploy”
    button: [Reboot web-1] danger confirm=r-7k3m9qpd
    button: [Cancel] cancel=r-7k3m9qpd
    header: What you may do
    section: \`/cloud reboot &lt;instance&gt;\` Reboot an instance.
    header: Recent
    section: ✅ *Reboot web-1* succeeded ⏎ <@U0ALICE> <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · r-7k3m9qpd ⏎ “stuck since the deploy”"
  `);
});

test('the Home tab says so where there is nothing', () => {
  const view = renderHome({ commands: [], open: [], recent: [], notices: [] });
  expect(outline(view.blocks)).toMatchInlineSnapshot(`
    "header: Bellhop
    section: Reboot, look up, change: from any channel, confirmed, once, and on the record.
    header: Open requests
    section: Nothing waits.
    header: What you may do
    section: Nothing so far: ask whoever keeps \`bellhop.yaml\` to add you to a role.
    header: Recent
    section: Nothing yet."
  `);
});

test('the Home tab fits into a view, whatever it lists', () => {
  fc.assert(
    fc.property(fc.array(hostileRequest, { maxLength: 20 }), hostileText, (requests, text) => {
      const listed = requests.map((request) => ({
        request,
        verb: text,
        risk: 'change' as const,
        buttons: ['confirm' as const, 'cancel' as const, 'approve' as const, 'deny' as const],
      }));
      const commands = requests.map(() => ({ usage: text, summary: text }));
      const view = renderHome({ commands, open: listed, recent: listed, notices: [text] });
      expect(beyondLimits(view)).toEqual([]);
      const escaped = messageProblems({ text: 'Home', blocks: view.blocks }).filter((one) =>
        one.startsWith('unescaped'),
      );
      expect(escaped).toEqual([]);
    }),
    runs(100),
  );
});
