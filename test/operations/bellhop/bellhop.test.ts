import { afterAll, beforeAll, expect, test } from 'vitest';

import { cellWords, reportText } from '../report-text.ts';
import { setStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const look = async (line: string): Promise<string> => reportText(await stage.report(line));

test('help lists what one may do here, and no more', async () => {
  const { title, facts, notes } = await stage.report('/bellhop help');
  expect([title, ...notes]).toMatchInlineSnapshot(`
    [
      "What you can do here",
      "Add --help to a command for its options and examples.",
    ]
  `);
  expect(facts.length).toBe(stage.bellhop.registry.entries.length);
  expect(facts.map(({ label }) => label)).toContain('/cdn raw-logs');
});

test('can explains a decision without doing anything', async () => {
  const lines = [
    '/bellhop can cloud reboot web-1',
    '/bellhop can /cloud reboot db-1',
    '/bellhop can @U0BOB cloud stop web-2',
    '/bellhop can "cloud ips --region 180"',
    '/bellhop can cdn raw-logs',
  ];
  const said = [];
  for (const line of lines) said.push(await look(line));
  expect(said.join('\n')).toMatchInlineSnapshot(`
    "# May you run “/cloud reboot web-1” here? (good)
    Yes, after confirming it. Rule “staging”.
    - Target: web-1, env=staging, tier=web
    - Roles held: anyone, responders
    (Nothing was run.)
    # May you run “/cloud reboot db-1” here? (unsure)
    Yes, once somebody else approves. Rule “production”.
    - Target: db-1, env=production, tier=db
    - Roles held: anyone, responders
    - Who may approve: leads
    - People: U0CAROL
    (Nothing was run.)
    # May this person run “/cloud stop web-2” here? (bad)
    No. No rule allows it.
    - Person: U0BOB
    - Target: web-2, env=staging, tier=web
    - Roles held: anyone
    - Roles that may: responders, leads
    - People: U0ALICE, U0CAROL
    - User groups: S0ONCALL
    (Nothing was run.)
    # May you run “/cloud ips --region 180” here? (good)
    Yes, at once. Rule “reads”.
    - Target: project 1186668, region 180
    - Roles held: anyone, responders
    (Nothing was run.)
    # May you run “/cdn raw-logs” here? (unsure)
    Yes, once somebody else approves. Rule “approved by leads”.
    - Target: CDN account
    - Roles held: anyone, responders
    - Who may approve: leads
    - People: U0CAROL
    (Nothing was run.)"
  `);
  expect(await stage.sent()).toBe(0);
});

test('a command that can cannot explain is refused with the reason', async () => {
  const said = await stage.refusals([
    '/bellhop can cloud reboot wbe-1',
    '/bellhop can cluod reboot web-1',
    '/bellhop can reboot web-1',
    '/bellhop can cloud reboot',
    '/bellhop can @alice cloud reboot web-1',
    '/bellhop can @U0BOB',
    '/bellhop can ""',
    `/bellhop can ${'cloud '.repeat(41)}`,
    `/bellhop can ${'x'.repeat(501)}`,
  ]);
  expect(said).toMatchInlineSnapshot(`
    "/bellhop can cloud reboot wbe-1
      The inventory has no instance “wbe-1”. Did you mean “web-1”? Nothing was done.
    /bellhop can cluod reboot web-1
      There is no command /cluod. Did you mean “/cloud”? Nothing was done.
    /bellhop can reboot web-1
      There is no command /reboot. Did you mean “/cloud reboot”? Nothing was done.
    /bellhop can cloud reboot
      Give a whole command, such as: cloud reboot web-1.
    /bellhop can @alice cloud reboot web-1
      I do not know who “@alice” is. Pick them from Slack's list after typing @.
    /bellhop can @U0BOB
      Give the command after the person, such as: cloud reboot web-1.
    /bellhop can ""
      <command>: give the command to explain.
    Nothing was done.
    /bellhop can cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud 
      <command>: that is too long for a command.
    Nothing was done.
    /bellhop can xxxxxxxxx…
      <command>: that is too long for a command.
    Nothing was done."
  `);
});

test('audit lists what was done, newest first, by target, person, request and time', async () => {
  const { id } = await stage.change('/cloud stop web-2 --reason "replaced"');
  const lines = [
    `--target web-2`,
    `--request ${id}`,
    '--actor @U0BOB',
    '--last 1s',
    '--last 7d --target nothing',
  ];
  const headlines = [];
  for (const words of lines)
    headlines.push(`${words}: ${(await stage.report(`/bellhop audit ${words}`)).headline}`);
  expect(headlines.join('\n')).toMatchInlineSnapshot(`
    "--target web-2: 4 entries
    --request r-1: 4 entries
    --actor @U0BOB: 0 entries
    --last 1s: 22 entries
    --last 7d --target nothing: 0 entries"
  `);
  const { tables } = await stage.report('/bellhop audit --target web-2');
  expect(tables[0]?.rows.map((row) => row.map(cellWords).join(' | '))).toMatchInlineSnapshot(`
    [
      "succeeded | “replaced” | cloud stop web-2 | Bellhop | C0OPS | 2026-11-21 03:00:00 UTC | rule “staging”",
      "started | “replaced” | cloud stop web-2 | Bellhop | C0OPS | 2026-11-21 03:00:00 UTC | rule “staging”",
      "confirmed | “replaced” | cloud stop web-2 | U0ALICE | C0OPS | 2026-11-21 03:00:00 UTC | rule “staging”",
      "proposed | “replaced” | cloud stop web-2 | U0ALICE | C0OPS | 2026-11-21 03:00:00 UTC | rule “staging”",
    ]
  `);
});

test('a bad input to audit gets a short answer', async () => {
  const said = await stage.refusals([
    '/bellhop audit --last yesterday',
    '/bellhop audit --last 0h',
    '/bellhop audit --last -1h',
    '/bellhop audit --actor alice',
    '/bellhop audit --target ""',
    '/bellhop audit everything',
    `/bellhop audit --target ${'x'.repeat(201)}`,
  ]);
  expect(said).toMatchInlineSnapshot(`
    "/bellhop audit --last yesterday
      --last: is a time such as 15m, 2h, 1d12h or 7d.
    Nothing was done.
    /bellhop audit --last 0h
      --last: is a time such as 15m, 2h, 1d12h or 7d.
    Nothing was done.
    /bellhop audit --last -1h
      --last: is a time such as 15m, 2h, 1d12h or 7d.
    Nothing was done.
    /bellhop audit --actor alice
      --actor: is a person: pick them after typing @.
    Nothing was done.
    /bellhop audit --target ""
      --target needs a value: --target <value>. Nothing was done.
    /bellhop audit everything
      /bellhop audit does not take “everything”. It takes: /bellhop audit [--target …] [--actor …] [--request …] [--last …]. Nothing was done.
    /bellhop audit --target xxxxxxxxx…
      --target: that is too long for a target.
    Nothing was done."
  `);
});
