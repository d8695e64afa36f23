import { describe, expect, it } from 'vitest';

import { createMetrics } from '../../../src/app/health/metrics.ts';
import { observeRules } from '../../../src/app/health/observe-rules.ts';
import { createReadiness } from '../../../src/host/readiness.ts';
import type { RulesStatus } from '../../../src/model/introspection.ts';
import type { Rule } from '../../../src/model/rulebook/rulebook.ts';
import { report } from '../../../src/model/values/report.ts';
import { policy } from '../../../src/operations/self/policy.ts';
import { pageReport } from '../../../src/slack/render/page-report.ts';
import { renderReport } from '../../../src/slack/render/report.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { messageProblems } from '../../slack/within-limits.ts';
import { reportText } from '../report-text.ts';
import { openStage, sampleRules } from '../stage.ts';

const at = Date.UTC(2026, 10, 21, 3, 0);
const rules: RulesStatus = { file: 'bellhop.yaml', policyHash: '', since: at, warnings: [] };
const stageWith = (status: RulesStatus) =>
  openStage({
    status: {
      version: '1.2.3',
      replica: 'bellhop-1/7',
      startedAt: at,
      parts: {},
      service: { leftAlone: [] },
      accounts: [],
      withheld: [],
      rules: status,
      tally: undefined,
      features: { facts: [], problems: [], tables: [] },
    },
    policy: {
      ...sampleRules.policy,
      freeze: [
        {
          labels: { env: 'production' },
          from: at,
          to: at + 3_600_000,
          except: ['leads'],
          reason: 'holidays',
        },
      ],
    },
    limits: [{ per: 'target', atMost: 1, withinMs: 60_000 }],
  });

const rowsOf = (lines: ReturnType<typeof report.parse>['tables'], caption: string) =>
  lines
    .find((table) => table.caption === caption)
    ?.rows.map((row) => row.filter((cell) => cell !== '').map((cell) => JSON.stringify(cell)));

describe('/bellhop policy', () => {
  it('shows the rules in order: who, what, where, what then, approvers', async () => {
    const stage = await stageWith(rules);
    const { facts, headline, tables } = await stage.report('/bellhop policy');
    expect(headline).toBe('11 rules in force, 0 warnings.');
    expect(facts.map(({ label }) => label)).toEqual([
      'In force since',
      'Hash of the file',
      'Last rejected file',
      'Restrictions',
    ]);
    expect(facts[1]?.value).toMatch(/^[0-9a-f]{12}$/u);
    expect(rowsOf(tables, 'Rules, in order')?.map((row) => row.join(' '))).toMatchInlineSnapshot(`
      [
        ""1. audit" "leads" "bellhop.audit" "everywhere" "allow"",
        ""2. reads" "anyone" "all operations (read)" "everywhere" "allow"",
        ""3. agents may look" "agents holmes" "cloud.*, cdn.*, storage.* (read)" "everywhere" "allow"",
        ""4. production" "responders" "cloud.* on env=production" "everywhere" "approve" "by leads; break-glass for responders"",
        ""5. staging" "responders, leads" "cloud.* on env=staging" {"channel":"C0OPS"} {"channel":"C0INC42"} "confirm"",
        ""6. on call" "oncall" "cloud.reboot on env=staging" {"channel":"C0INC42"} "confirm"",
        ""7. approved by leads" "responders" "cloud.*, cdn.raw-logs" {"channel":"C0OPS"} "approve" "by leads"",
        ""8. leads" "leads" "cloud.*, cdn.raw-logs" "everywhere" "approve" "by leads or responders; break-glass for leads"",
        ""9. delivery and storage" "responders, leads" "cdn.*, storage.*" {"channel":"C0OPS"} "confirm"",
        ""10. holds" "responders, leads" "bellhop.hold" "everywhere" "allow"",
        ""11. releases" "leads" "bellhop.release" "everywhere" "allow"",
      ]
    `);
    expect(rowsOf(tables, 'Freezes, before the rules')).toMatchInlineSnapshot(`
      [
        [
          ""freeze 1"",
          ""changes on env=production"",
          "{"at":1795230000000}",
          "{"at":1795233600000}",
          ""except leads"",
          ""holidays"",
        ],
      ]
    `);
  });

  it('has a warning sign where the rules in force have warnings, because nothing is unknown', async () => {
    const stage = await stageWith({ ...rules, warnings: ['bellhop.yaml:40:5: warning: rules[3]: unused.'] });
    expect(await stage.report('/bellhop policy')).toMatchObject({ tone: 'warning' });
  });

  it('says what was refused, with its line, and every warning', async () => {
    const problems =
      'bellhop.yaml:12:5: rules[2].then: must be one of these.\nbellhop.yaml:14:1: roles: gone.';
    const stage = await stageWith({
      ...rules,
      warnings: ['bellhop.yaml:40:5: warning: rules[3]: never decides anything.'],
      refused: { at, problems },
    });
    const shown = await stage.report('/bellhop policy');
    const [refused] = shown.tables;
    expect(
      reportText({
        ...shown,
        tables: shown.tables.filter(
          ({ caption }) => !caption.includes('rules') && !caption.includes('Rules'),
        ),
      }).replace(/Hash of the file: \w+/u, 'Hash of the file: …'),
    ).toMatchInlineSnapshot(`
      "# Policy (bad)
      A newer bellhop.yaml was rejected. These rules stay in force.
      - In force since: 2026-11-21 03:00:00 UTC
      - Hash of the file: …
      - Rejected file: a newer bellhop.yaml, 2026-11-21 03:00:00 UTC
      - Restrictions: 1 limit
      Why it was rejected:
        | Finding
        | bellhop.yaml:12:5: rules[2].then: must be one of these.
        | bellhop.yaml:14:1: roles: gone.
      Warnings:
        | Finding
        | bellhop.yaml:40:5: warning: rules[3]: never decides anything.
      (The first matching rule wins. Without a match, the command is denied.)
      (npm run config -- check prints all findings in full.)"
    `);
    expect(refused?.rows).toHaveLength(2);
  });

  it('pages hundreds of rules with hostile names within the limits of Slack', async () => {
    const stage = await stageWith(rules);
    const { rulebook, status } = await stage.insight.policy();
    const rule: Rule = {
      name: '<!channel> *x*'.repeat(10),
      roles: ['<@U0BOB>', 'leads'],
      operations: Array.from({ length: 40 }, (_, index) => `cloud.verb-${index}`),
      channels: ['C0OPS', 'C0INC42', 'C0WAR', 'C0MORE', 'C0REST'],
      effect: 'approve',
      approvers: ['leads', 'managers'],
      approvals: 2,
      typeName: true,
      breakGlass: ['leads'],
    };
    const many = {
      ...rulebook,
      policy: { ...rulebook.policy, rules: Array.from({ length: 300 }, () => rule) },
    };
    const target = { kind: 'bellhop', name: 'Bellhop', labels: {} } as const;
    const shown = report.parse(
      policy.report({ rulebook: many, status, standing: [] }, { target, input: {} }),
    );
    expect(rowsOf(shown.tables, 'Rules, in order')?.[0]).toContain('"and 3 more channels"');
    const pages = pageReport(shown, true);
    expect(pages.length).toBeGreaterThan(10);
    for (const page of pages.keys()) {
      const message = renderReport(shown, {
        page,
        words: '/bellhop policy',
        shareable: true,
        modern: true,
        now: 0,
        disclaimers: [],
      });
      expect(messageProblems(message)).toEqual([]);
    }
  });

  it('remembers the refused file after it was put right', async () => {
    const clock = createDrivenClock(at);
    const health = observeRules({
      clock,
      readiness: createReadiness(clock, []),
      metrics: createMetrics(),
    });
    health.loaded('a.yaml', 'one', () => []);
    await clock.advance(1000);
    health.refused(['bellhop.yaml:12:5: rules[2].then: must be one of these.']);
    await clock.advance(1000);
    health.loaded('a.yaml', 'two', () => []);
    expect(health.now()).toMatchObject({
      file: 'a.yaml',
      policyHash: 'two',
      since: at + 2000,
      lastRefused: { at: at + 1000 },
    });
    expect(health.now().refused).toBeUndefined();
    const stage = await stageWith(health.now());
    const { facts, tone } = await stage.report('/bellhop policy');
    expect(tone).toBe('good');
    expect(facts.find(({ label }) => label === 'Last rejected file')?.value).toBe(
      '2026-11-21 03:00:01 UTC, fixed since then. The error was: bellhop.yaml:12:5: rules[2].then: must be one of these.',
    );
  });
});
