import { afterAll, beforeAll, expect, test } from 'vitest';

import { cellWords, reportText } from '../report-text.ts';
import { openStage, sampleRules, setStage, type ServiceStage } from '../stage.ts';
import { pageReport } from '../../../src/slack/render/page-report.ts';
import { token } from '../../token-gate.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const look = async (line: string): Promise<string> => reportText(await stage.report(line));

test('help lists the operations that a person may run here, and no others', async () => {
  const { title, facts, notes } = await stage.report('/bellhop help');
  expect([title, ...notes]).toMatchInlineSnapshot(`
    [
      "What you can do here",
      "Add --help to a command for its options and examples.",
      "To see whether a change needs approval: /bellhop can cloud reboot web-1.",
      "In threads, where slash commands do not work, mention Bellhop: @bellhop reboot web-1.",
    ]
  `);
  // No rule names these two, but Alice may hold, so she may release and extend her own holds.
  const own = ['/bellhop release [targets…]', '/bellhop extend <id…>'];
  const shown = facts.flatMap(({ value }) => value.split('\n').map((line) => line.split(':', 1)[0]));
  expect(shown.length).toBe(stage.context.registry.entries.length);
  expect(shown).toEqual(expect.arrayContaining(own));
  expect(shown).toContain('/cdn raw-logs');
});

test('help is one page, with the changes of each area apart from its reads', async () => {
  const help = await stage.report('/bellhop help');
  expect(pageReport(help, true)).toHaveLength(1);
  expect(help.facts.map(({ label }) => label)).toEqual([
    '/cloud: changes',
    '/cloud: reads',
    '/cdn: reads',
    '/cdn: changes',
    '/storage: changes',
    '/storage: reads',
    '/bellhop: reads',
    '/bellhop: changes',
  ]);
});

test('/bellhop can explains a decision without doing anything', async () => {
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
    "# Can you run “/cloud reboot web-1” here? (good)
    Yes, after confirming. Rule “staging”.
    - Target: web-1, env=staging, tier=web
    - Roles: anyone, responders
    # Can you run “/cloud reboot db-1” here? (good)
    Yes, with approval by leads (U0CAROL). Rule “production”.
    - Target: db-1, env=production, tier=db
    - Roles: anyone, responders
    - Approver roles: leads
    - Approvers: U0CAROL
    (Can't wait? You can skip the approval: --break-glass "why".)
    # Can this person run “/cloud stop web-2” here? (bad)
    No. No rule allows it.
    - Person: U0BOB
    - Target: web-2, env=staging, tier=web
    - Roles: anyone
    - Allowed roles: responders, leads
    - People: U0ALICE, U0CAROL
    - User groups: S0ONCALL
    # Can you run “/cloud ips --region 180” here? (good)
    Yes, immediately. Rule “reads”.
    - Target: project 1186668, region 180
    - Roles: anyone, responders
    # Can you run “/cdn raw-logs” here? (good)
    Yes, with approval by leads (U0CAROL). Rule “approved by leads”.
    - Target: CDN account
    - Roles: anyone, responders
    - Approver roles: leads
    - Approvers: U0CAROL"
  `);
  expect(await stage.sent()).toBe(0);
});

test('/bellhop can answers for another person, channel and time, by the current rules', async () => {
  const [from, to] = [Date.UTC(2026, 11, 24, 17), Date.UTC(2026, 11, 27, 5)];
  const frozen = await openStage({
    names: { U0CAROL: 'Carol' },
    policy: {
      ...sampleRules.policy,
      freeze: [{ labels: { env: 'production' }, from, to, except: ['leads'], reason: 'holidays' }],
    },
    limits: [{ per: 'target', atMost: 1, withinMs: 60_000 }],
  });
  const lines = [
    '/bellhop can --as @U0CAROL cloud reboot db-1',
    '/bellhop can --in #C0GENERAL /cloud reboot web-1',
    '/bellhop can --at 2026-12-24T19:00Z /cloud reboot db-1',
    '/bellhop can --as @U0CAROL --in #C0INC42 --at 2026-12-24T20:00:00+01:00 /cloud reboot db-1',
    '/bellhop can --as @TOTHER/U0ALICE /cloud reboot web-1',
    '/bellhop can --at 2026-12-24T16:59:59Z "/cloud reboot db-1"',
  ];
  const said = [];
  for (const line of lines) said.push(reportText(await frozen.report(line)));
  expect(said.join('\n')).toMatchInlineSnapshot(`
    "# Can Carol run “/cloud reboot db-1” here? (good)
    Yes, with approval by leads or responders (U0ALICE). Rule “leads”.
    - Person: U0CAROL
    - Target: db-1, env=production, tier=db
    - Roles: anyone, leads
    - Approver roles: leads, responders
    - Approvers: U0ALICE
    - User groups: S0ONCALL
    (Can't wait? Carol can skip the approval: --break-glass "why".)
    # Can you run “/cloud reboot web-1” in that channel? (bad)
    No. No rule allows it.
    - Channel: C0GENERAL
    - Target: web-1, env=staging, tier=web
    - Roles: anyone, responders
    - Channels: C0OPS, C0INC42
    # Can you run “/cloud reboot db-1” here at 2026-12-24 19:00 (UTC)? (bad)
    No. Frozen: holidays.
    - Time: 2026-12-24 19:00:00 UTC
    - Allowed again from: 2026-12-27 05:00:00 UTC
    - Target: db-1, env=production, tier=db
    - Roles: anyone, responders
    - Allowed roles: leads
    - People: U0CAROL
    (Uses the current rules and roles. Limits, guards and holds are not considered.)
    # Can Carol run “/cloud reboot db-1” in that channel at 2026-12-24 19:00 (UTC)? (good)
    Yes, with approval by leads or responders (U0ALICE). Rule “leads”.
    - Person: U0CAROL
    - Channel: C0INC42
    - Time: 2026-12-24 19:00:00 UTC
    - Target: db-1, env=production, tier=db
    - Roles: anyone, leads
    - Approver roles: leads, responders
    - Approvers: U0ALICE
    - User groups: S0ONCALL
    (Can't wait? Carol can skip the approval: --break-glass "why".)
    (Uses the current rules and roles. Limits, guards and holds are not considered.)
    # Can this person run “/cloud reboot web-1” here? (bad)
    No. No rule allows it.
    - Person: U0ALICE
    - Target: web-1, env=staging, tier=web
    - Allowed roles: responders, leads
    - People: U0ALICE, U0CAROL
    - User groups: S0ONCALL
    # Can you run “/cloud reboot db-1” here at 2026-12-24 16:59 (UTC)? (good)
    Yes, with approval by leads (Carol). Rule “production”.
    - Time: 2026-12-24 16:59:59 UTC
    - Target: db-1, env=production, tier=db
    - Roles: anyone, responders
    - Approver roles: leads
    - Approvers: U0CAROL
    (Can't wait? You can skip the approval: --break-glass "why".)
    (Uses the current rules and roles. Limits, guards and holds are not considered.)"
  `);
  expect(await frozen.sent()).toBe(0);
});

test('/bellhop can says who has to do more than click', async () => {
  const said = [];
  for (const effect of ['approve', 'confirm'] as const) {
    const { policy } = sampleRules;
    const rules = policy.rules.map((rule) => ({ ...rule, effect, demands: [token] }));
    const signing = await openStage({ policy: { ...policy, rules } });
    const { facts } = await signing.report('/bellhop can /cloud reboot db-1');
    said.push(facts.find(({ label }) => label === 'Touch')?.value);
  }
  expect(said).toEqual(['the approver has to touch it', 'you have to touch it']);
});

test('/bellhop can with a time ignores limits, which apply only now', async () => {
  const limited = await openStage({ limits: [{ per: 'target', atMost: 1, withinMs: 60_000 }] });
  await limited.change('/cloud reboot web-2');
  const now = new Date(limited.clock.now()).toISOString();
  const said = [
    await limited.report('/bellhop can /cloud reboot web-2'),
    await limited.report(`/bellhop can --at ${now} /cloud reboot web-2`),
  ];
  expect(said.map(({ headline }) => headline)).toMatchInlineSnapshot(`
    [
      "No. Rate limit reached (limit 1): at most 1 change per target in 1m.",
      "Yes, after confirming. Rule “staging”.",
    ]
  `);
});

test('a command that can cannot explain is refused with the reason', async () => {
  const said = await stage.refusals([
    '/bellhop can cloud reboot wbe-1',
    '/bellhop can cluod reboot web-1',
    '/bellhop can db-1',
    '/bellhop can reboot web-1',
    '/bellhop can cloud reboot',
    '/bellhop can @alice cloud reboot web-1',
    '/bellhop can @U0BOB',
    '/bellhop can --as bob cloud reboot web-1',
    '/bellhop can --as @U0BOB @U0CAROL cloud reboot web-1',
    '/bellhop can --in #ops cloud reboot web-1',
    '/bellhop can --in U0BOB cloud reboot web-1',
    '/bellhop can --at tomorrow cloud reboot web-1',
    '/bellhop can --at 2026-12-24T19:00 cloud reboot web-1',
    '/bellhop can --at 2026-02-30T19:00Z cloud reboot web-1',
    '/bellhop can ""',
    `/bellhop can ${'cloud '.repeat(41)}`,
    `/bellhop can ${'x'.repeat(501)}`,
  ]);
  expect(said).toMatchInlineSnapshot(`
    "/bellhop can cloud reboot wbe-1
      bellhop.yaml lists no instance “wbe-1”. Did you mean “web-1”?
    /bellhop can cluod reboot web-1
      Unknown command /cluod. Did you mean “/cloud”?
    /bellhop can db-1
      Write a command after “can”, such as: cloud reboot db-1.
    /bellhop can reboot web-1
      Write the whole command after “can”: cloud reboot web-1.
    /bellhop can cloud reboot
      Enter a complete command, such as: cloud reboot web-1.
    /bellhop can @alice cloud reboot web-1
      “@alice” is not a person. Type @ and pick one from Slack's list.
    /bellhop can @U0BOB
      Enter the command after the person, such as: cloud reboot web-1.
    /bellhop can --as bob cloud reboot web-1
      --as must be a person. Type @ and pick one.
    /bellhop can --as @U0BOB @U0CAROL cloud reboot web-1
      Name one person, after --as or before the command.
    /bellhop can --in #ops cloud reboot web-1
      --in must be a channel. Type # and pick one, or enter its id, such as C0OPS.
    /bellhop can --in U0BOB cloud reboot web-1
      --in must be a channel. Type # and pick one, or enter its id, such as C0OPS.
    /bellhop can --at tomorrow cloud reboot web-1
      --at must be a time with its zone, such as 2026-12-24T19:00Z or 2026-12-24T20:00+01:00.
    /bellhop can --at 2026-12-24T19:00 cloud reboot web-1
      --at must be a time with its zone, such as 2026-12-24T19:00Z or 2026-12-24T20:00+01:00.
    /bellhop can --at 2026-02-30T19:00Z cloud reboot web-1
      --at must be a time with its zone, such as 2026-12-24T19:00Z or 2026-12-24T20:00+01:00.
    /bellhop can ""
      <command> is missing.
    /bellhop can cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud cloud 
      <command> is too long.
    /bellhop can xxxxxxxxx…
      <command> is too long."
  `);
});

test('audit lists actions, newest first, by target, person, request and time', async () => {
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
    "--target web-2: 3 entries
    --request r-1: 3 entries
    --actor @U0BOB: 0 entries
    --last 1s: 3 entries
    --last 7d --target nothing: 0 entries"
  `);
  const { tables } = await stage.report('/bellhop audit --target web-2');
  expect(tables[0]?.rows.map((row) => row.map(cellWords).join(' | '))).toMatchInlineSnapshot(`
    [
      "2026-11-21 03:00 | U0ALICE | requested /cloud stop web-2: “replaced” | C0OPS",
      "2026-11-21 03:00 | U0ALICE | confirmed /cloud stop web-2 | C0OPS",
      "2026-11-21 03:00 |  | /cloud stop web-2 succeeded | C0OPS",
    ]
  `);
});

test('a bad input to audit gets a short answer', async () => {
  const said = await stage.refusals([
    '/bellhop audit --last yesterday',
    '/bellhop audit --last 0h',
    '/bellhop audit --last -1h',
    '/bellhop audit --last 9999d',
    '/bellhop audit --actor alice',
    '/bellhop audit --target ""',
    '/bellhop audit everything',
    `/bellhop audit --target ${'x'.repeat(201)}`,
  ]);
  expect(said).toMatchInlineSnapshot(`
    "/bellhop audit --last yesterday
      --last must be a duration such as 15m, 2h or 7d, at most 3660d.
    /bellhop audit --last 0h
      --last must be a duration such as 15m, 2h or 7d, at most 3660d.
    /bellhop audit --last -1h
      --last must be a duration such as 15m, 2h or 7d, at most 3660d.
    /bellhop audit --last 9999d
      --last must be a duration such as 15m, 2h or 7d, at most 3660d.
    /bellhop audit --actor alice
      --actor must be a person. Type @ and pick one.
    /bellhop audit --target ""
      --target needs a value, such as --target web-1.
    /bellhop audit everything
      Unexpected argument “everything”. Did you mean “--target everything”?
    /bellhop audit --target xxxxxxxxx…
      --target is too long: a target has at most 200 characters."
  `);
});
