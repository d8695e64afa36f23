import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Item } from '../../../../src/model/values/report.ts';
import { renderHome } from '../../../../src/slack/handle/home.ts';
import { runs } from '../../limits-hold.ts';
import { hostileItem, hostileText } from '../../hostile.ts';
import { outline } from '../../outline.ts';
import { beyondLimits, messageProblems } from '../../within-limits.ts';
import { alice, carol } from '../../../people.ts';
import { safeLine } from '../../../../src/slack/render/text.ts';

const reboot: Item = {
  title: 'Reboot web-1',
  state: 'proposed',
  id: 'r-7k3m9qpd',
  by: alice,
  at: 1_763_700_000_000,
  until: 1_763_700_900_000,
  channel: 'C0OPS',
  why: 'stuck since the deploy',
  link: 'https://acme.slack.com/archives/C0OPS/p1',
  buttons: [{ action: 'inspect', text: 'Review…', value: 'r-7k3m9qpd' }],
};

const nothing = {
  reader: carol,
  now: 1_763_700_000_000,
  roles: [],
  unknownRoles: [],
  lines: [],
  open: { items: [], more: false },
  recent: [],
  disclaimers: [],
};

test('the Home tab shows my roles, who is on call, what waits for me and what I did last', () => {
  const view = renderHome({
    reader: alice,
    roles: ['responders', 'leads'],
    unknownRoles: ['oncall'],
    now: 1_763_700_000_000,
    lines: ['*On call (primary):* <@U0DORA>.', '*On call (empty):* no one.'],
    open: { items: [reboot], more: false },
    recent: [{ ...reboot, state: 'succeeded', until: undefined, link: undefined, buttons: [] }],
    disclaimers: ['Local service: nothing real is touched'],
  });
  expect(outline(view.blocks)).toMatchInlineSnapshot(`
    "section: *On call (primary):* <@U0DORA>. ⏎ *On call (empty):* no one. ⏎ *Your roles:* responders, leads. Unknown right now: oncall.
    button: [Commands] home:commands=/bellhop help
    button: [Last 24 hours] home:changes=/bellhop audit --last 24h
    button: [Bellhop's health] home:health=/bellhop status
    button: [Refresh] home:refresh=home
    small: as of <!date^1763700000^{time}|04:40 UTC>
    small: ⚠️ Local service: nothing real is touched
    header: Waiting for you
    section: 👉 *Reboot web-1* proposed ⏎ <@U0ALICE> · confirm by <!date^1763700900^{time}|04:55 UTC> · <#C0OPS> · <https://acme.slack.com/archives/C0OPS/p1|Open the card> ⏎ “stuck since the deploy”
    button: [Review…] inspect=r-7k3m9qpd
    header: Your recent changes
    section: ✅ *Reboot web-1* succeeded ⏎ <@U0ALICE> · <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · <#C0OPS> ⏎ “stuck since the deploy”"
  `);
});

test('the Home tab shows the reason of a request apart from the reason of its denial', () => {
  const denied = { ...reboot, state: 'refused', until: undefined, link: undefined, buttons: [] };
  const view = renderHome({
    ...nothing,
    recent: [
      { ...denied, refusal: { by: carol, note: 'Why: “wait for the DBA”' } },
      { ...denied, refusal: { note: 'Frozen: launch.' } },
      { ...denied, refusal: { by: carol, note: '' } },
      { ...denied, state: 'cancelled', refusal: { by: carol, note: 'Replaced by r-2.' } },
      { ...denied, state: 'stopped', refusal: { by: carol, note: 'web-2 failed.' } },
    ],
  });
  expect(outline(view.blocks).split('Your recent changes\n')[1]).toMatchInlineSnapshot(`
    "section: ⛔ *Reboot web-1* refused ⏎ <@U0ALICE> · <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · <#C0OPS> ⏎ <@U0ALICE>: “stuck since the deploy” ⏎ Denied by <@U0CAROL>. Why: “wait for the DBA”
    section: ⛔ *Reboot web-1* refused ⏎ <@U0ALICE> · <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · <#C0OPS> ⏎ <@U0ALICE>: “stuck since the deploy” ⏎ Denied by the rules. Frozen: launch.
    section: ⛔ *Reboot web-1* refused ⏎ <@U0ALICE> · <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · <#C0OPS> ⏎ <@U0ALICE>: “stuck since the deploy” ⏎ Denied by <@U0CAROL>.
    section: 🚫 *Reboot web-1* replaced by <@U0CAROL> ⏎ <@U0ALICE> · <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · <#C0OPS> ⏎ <@U0ALICE>: “stuck since the deploy”
    section: 🛑 *Reboot web-1* stopped by <@U0CAROL> ⏎ <@U0ALICE> · <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · <#C0OPS> ⏎ <@U0ALICE>: “stuck since the deploy” ⏎ web-2 failed."
  `);
});

/** A request in each state that a list can show, by Alice and by Carol. */
const inEachState = (['proposed', 'awaiting approval', 'running', 'paused', 'unknown'] as const).flatMap(
  (state) => {
    const request = (by: typeof alice): Item => ({
      ...reboot,
      title: `${state} of ${by.user}`,
      state,
      by,
      buttons: [],
    });
    return [request(alice), request(carol)];
  },
);

const titlesIn = (text = '') => [...text.matchAll(/\*([a-z ]+ of [A-Z0-9]+)\*/gu)].map(([, title]) => title);

test('the Home tab lists own requests that others decide, or that run, apart from what waits for the reader', () => {
  const view = renderHome({ ...nothing, reader: alice, open: { items: inEachState, more: false } });
  const [mine, others] = outline(view.blocks).split('Waiting for others, or running\n');
  expect(titlesIn(others)).toEqual(['awaiting approval of U0ALICE', 'running of U0ALICE']);
  expect(titlesIn(mine)).toEqual([
    'proposed of U0ALICE',
    'proposed of U0CAROL',
    'awaiting approval of U0CAROL',
    'running of U0CAROL',
    'paused of U0ALICE',
    'paused of U0CAROL',
    'unknown of U0ALICE',
    'unknown of U0CAROL',
  ]);
});

test('the Home tab says what an unknown outcome most likely is', () => {
  const unknown = { ...reboot, state: 'unknown', likely: ', most likely did not run' };
  const view = renderHome({ ...nothing, open: { items: [unknown], more: false } });
  expect(outline(view.blocks)).toContain('❓ *Reboot web-1* unknown, most likely did not run ⏎');
});

test('the Home tab says so if there is nothing', () => {
  expect(outline(renderHome(nothing).blocks)).toMatchInlineSnapshot(`
    "section: *Your roles:* none. Ask the owner of \`bellhop.yaml\` to add you to one.
    button: [Commands] home:commands=/bellhop help
    button: [Last 24 hours] home:changes=/bellhop audit --last 24h
    button: [Bellhop's health] home:health=/bellhop status
    button: [Refresh] home:refresh=home
    small: as of <!date^1763700000^{time}|04:40 UTC>
    header: Waiting for you
    section: No request waits for you."
  `);
});

test('the Home tab says what does not work for lack of a scope', () => {
  const withheld = [
    { what: 'direct messages', scope: 'im:history', text: 'direct messages to Bellhop do nothing' },
  ] as const;
  expect(JSON.stringify(renderHome({ ...nothing, withheld }).blocks)).toMatch(
    /lacks the scope im.*history: direct messages to Bellhop do nothing\./u,
  );
});

const more = (count: number, unlisted: boolean) => {
  const open = { items: Array.from({ length: count }, () => reboot), more: unlisted };
  return outline(renderHome({ ...nothing, open }).blocks).match(
    /and .*more: `.*`|No request waits for you/gu,
  );
};

test('the Home tab counts what it does not list', () => {
  expect(more(14, false)).toEqual(['and 2 more: `/bellhop requests`']);
  expect(more(14, true)).toEqual(['and more than 2 more: `/bellhop requests`']);
  expect(more(0, true)).toEqual(['and more: `/bellhop requests`']);
});

test('the Home tab fits into a view, whatever it lists', () => {
  fc.assert(
    fc.property(fc.array(hostileItem, { maxLength: 20 }), hostileText, (items, text) => {
      const names = items.map(() => text);
      const lines = items.map(() => safeLine(text, 300));
      const view = renderHome({
        now: 0,
        reader: alice,
        roles: names,
        unknownRoles: names,
        lines,
        open: { items, more: items.length > 10 },
        recent: items,
        disclaimers: [text],
      });
      expect(beyondLimits(view)).toEqual([]);
      const escaped = messageProblems({ text: 'Home', blocks: view.blocks }).filter((one) =>
        one.startsWith('unescaped'),
      );
      expect(escaped).toEqual([]);
    }),
    runs(200),
  );
});
