import { describe, expect, it } from 'vitest';

import type { Status } from '../../../src/model/introspection.ts';
import { status } from '../../../src/operations/self/status.ts';

const at = Date.UTC(2026, 10, 21, 3, 0);
const bellhopTarget = { kind: 'bellhop', name: 'Bellhop', labels: {} } as const;

const nothing = { facts: [], problems: [], tables: [] };

const well = {
  version: '1.2.3',
  replica: 'bellhop-1/7',
  startedAt: at,
  parts: { store: { ok: true, since: at }, slack: { ok: true, since: at } },
  service: { lastSuccessAt: at + 1000, leftAlone: [] },
  accounts: [],
  withheld: [],
  rules: {
    file: '/etc/bellhop/rules.yaml',
    policyHash: '5a0f95e64f02d9bb31d30aef10a66c5b9f0d2f1a',
    since: at,
    warnings: [],
  },
  features: nothing,
  tally: {
    requests: { proposed: 0, 'awaiting approval': 0, running: 0, rolling: 0, paused: 0, unknown: 0 },
    oldest: new Map(),
    due: [],
    audit: { entries: 0, unsealed: 0, oldestUnsealedAt: undefined },
  },
  zone: 'Europe/Luxembourg',
};

const shown = (seen: Status & { readonly zone: string }) =>
  status.report(seen, { target: bellhopTarget, input: {} });

const withLate = (kind: string, oldestMs: number, parts: Status['parts'] = {}) =>
  shown({
    ...well,
    parts: { ...well.parts, ...parts },
    tally: {
      requests: { proposed: 0, 'awaiting approval': 0, running: 0, rolling: 0, paused: 0, unknown: 0 },
      oldest: new Map(),
      due: [{ kind, count: 2, oldestMs }],
      audit: { entries: 0, unsealed: 0, oldestUnsealedAt: undefined },
    },
  });

describe('/bellhop status', () => {
  it('says in one line that all is well', () => {
    expect(shown(well)).toMatchInlineSnapshot(`
      {
        "facts": [
          {
            "label": "Requests",
            "value": "none open",
          },
          {
            "label": "Overdue work",
            "value": "none",
          },
          {
            "label": "Dependencies",
            "value": "2 of 2 ok",
          },
          {
            "label": "Service last answered",
            "parts": [
              {
                "at": 1795230001000,
              },
            ],
            "value": "2026-11-21 03:00:01 UTC",
          },
          {
            "label": "Service last failed",
            "value": "never",
          },
          {
            "label": "Version",
            "value": "1.2.3",
          },
          {
            "label": "Rules",
            "parts": [
              "Version 5a0f95e64f02 of /etc/bellhop/rules.yaml has been in force since ",
              {
                "at": 1795230000000,
              },
              ".",
            ],
            "value": "Version 5a0f95e64f02 of /etc/bellhop/rules.yaml has been in force since 2026-11-21 03:00:00 UTC.",
          },
          {
            "label": "Replica",
            "value": "bellhop-1/7",
          },
          {
            "label": "Up since",
            "parts": [
              {
                "at": 1795230000000,
              },
            ],
            "value": "2026-11-21 03:00:00 UTC",
          },
        ],
        "headline": "Healthy.",
        "notes": [
          "Health is this replica's view. Requests are counted across all replicas.",
        ],
        "tables": [],
        "title": "Bellhop",
        "tone": "good",
      }
    `);
  });

  it('says in one line what is not well, and what waits', () => {
    const lastError = 'The database server cannot be reached. What is recorded cannot be read now.';
    const report = shown({
      ...well,
      parts: { ...well.parts, store: { ok: false, since: at + 5000, lastError } },
      service: {
        leftAlone: ['cdn'],
        lastFailure: {
          at: at + 3000,
          call: 'POST /cloud/v1/instances/1/2/x/reboot',
          outcome: 'unknown-outcome, 502',
        },
      },
      tally: {
        requests: { proposed: 2, 'awaiting approval': 0, running: 1, rolling: 2, paused: 1, unknown: 1 },
        oldest: new Map(),
        due: [
          { kind: 'card', count: 3, oldestMs: 12_000 },
          { kind: 'notice', count: 1, oldestMs: 900 },
        ],
        audit: { entries: 0, unsealed: 0, oldestUnsealedAt: undefined },
      },
    });
    expect(report.tables).toMatchObject([{ rows: [['store', 'down', { at: at + 5000 }, lastError]] }]);
    expect({ tone: report.tone, headline: report.headline, facts: report.facts?.slice(0, 5) })
      .toMatchInlineSnapshot(`
        {
          "facts": [
            {
              "label": "Requests",
              "value": "2 proposed, 1 running, 1 unknown, 2 rollouts running, 1 rollout paused",
            },
            {
              "label": "Overdue work",
              "value": "3 cards and 1 notice are up to 12 s late",
            },
            {
              "label": "Dependencies",
              "value": "1 of 2 ok",
            },
            {
              "label": "Service last answered",
              "value": "no calls yet",
            },
            {
              "label": "Service last failed",
              "parts": [
                {
                  "at": 1795230003000,
                },
                ": POST /cloud/v1/instances/1/2/x/reboot got no readable answer (HTTP 502)",
              ],
              "value": "2026-11-21 03:00:03 UTC: POST /cloud/v1/instances/1/2/x/reboot got no readable answer (HTTP 502)",
            },
          ],
          "headline": "Problems: store (The database server cannot be reached. What is recorded cannot be read now); calls to /cdn are paused after too many failures; 3 cards are up to 12 s late, so Slack may show an old state (/bellhop requests shows the current one).",
          "tone": "bad",
        }
      `);
  });

  it('says that the service failed last, until it has answered again', () => {
    const lastFailure = { at: at + 3000, call: 'GET /cloud', outcome: 'rejected, 500' };
    const seen = (lastSuccessAt: number) =>
      shown({ ...well, service: { lastSuccessAt, lastFailure, leftAlone: [] } }).headline;
    expect(seen(at)).toBe('Problems: the last call to the service was rejected (HTTP 500).');
    expect(seen(at + 3000)).toBe('Healthy.');
  });

  it('is not well while work is more than 30 s late, whatever its kind, and says what that means of messages', () => {
    const means = ', so Slack may show an old state (/bellhop requests shows the current one)';
    const kinds = {
      cards: means,
      notices: means,
      alerts: means,
      reviews: means,
      'forward jobs': '',
      'alert thread jobs': '',
    };
    for (const [late, says] of Object.entries(kinds))
      expect(withLate(late.replace(/s$| jobs$/u, ''), 40_000)).toMatchObject({
        tone: 'bad',
        headline: `Problems: 2 ${late} are up to 40 s late${says}.`,
      });
    expect(withLate('forward', 30_000).headline).toBe('Healthy.');
  });

  it('is not well while a message is more than 10 s late, and says why if Slack limits the rate', () => {
    expect(withLate('card', 10_000).headline).toBe('Healthy.');
    const late = 'Problems: 2 cards are up to 18 s late';
    const means = ', so Slack may show an old state (/bellhop requests shows the current one).';
    expect(withLate('card', 18_000)).toMatchObject({ tone: 'bad', headline: `${late}${means}` });
    const limited = { ok: true, since: at, required: false, detail: 'rate-limited' } as const;
    const headline = `${late} because Slack limits the rate of messages${means}`;
    expect(withLate('card', 18_000, { 'slack messages': limited })).toMatchObject({ tone: 'bad', headline });
  });

  it('says that Slack does not accept messages, and since when in the time of the reader', () => {
    const down = { ok: false, since: at, lastError: 'http_503', required: false } as const;
    const seen = { ...well, parts: { ...well.parts, 'slack messages': down } };
    const headline = 'Problems: Slack does not accept messages (http_503 since 04:00).';
    expect(shown(seen)).toMatchObject({ tone: 'bad', headline });
    expect(shown({ ...seen, zone: 'UTC' }).headline).toContain('(http_503 since 03:00 UTC)');
  });

  it('is not well while a newer bellhop.yaml is refused, and says which is in force since when', () => {
    const problems = 'bellhop.yaml:3: unknown key “ruels”.\nDid you mean “rules”?';
    const { headline, facts } = shown({
      ...well,
      parts: {
        ...well.parts,
        'bellhop.yaml': { ok: false, since: at, required: false, lastError: problems },
      },
      rules: { ...well.rules, refused: { at: at + 60_000, problems } },
    });
    expect(headline).toContain('bellhop.yaml (bellhop.yaml:3: unknown key “ruels”.');
    const said = facts?.filter(({ label }) => /rules/iu.test(label));
    expect(said).toEqual([
      {
        label: 'Rules',
        value:
          'Version 5a0f95e64f02 of /etc/bellhop/rules.yaml has been in force since 2026-11-21 03:00:00 UTC.',
        parts: ['Version 5a0f95e64f02 of /etc/bellhop/rules.yaml has been in force since ', { at }, '.'],
      },
      expect.objectContaining({
        label: 'Rejected rules',
        value:
          'A newer version was rejected on 2026-11-21 03:01:00 UTC: bellhop.yaml:3: unknown key “ruels”. Did you mean “rules”?',
      }),
    ]);
  });

  it('counts nothing if the store cannot', () => {
    const { headline, facts } = shown({ ...well, tally: undefined });
    expect(headline).toBe('Problems: open requests cannot be counted.');
    expect(facts?.map(({ label }) => label)).not.toContain('Requests');
  });

  it('shows the first warnings about the rules in force', () => {
    const warnings = Array.from({ length: 7 }, (_, line) => `bellhop.yaml:${line}:1: warning: w${line}.`);
    const { notes } = status.report(
      { ...well, rules: { ...well.rules, warnings } },
      { target: bellhopTarget, input: {} },
    );
    expect(notes?.slice(0, 6)).toEqual([
      ...warnings.slice(0, 5),
      '… and 2 more warnings about bellhop.yaml.',
    ]);
  });

  it('shows the lines, problems and tables of features', () => {
    const fact = { label: 'Audit log forwarding', value: 'up to date' };
    const table = { caption: 'Hooks', columns: [], rows: [] };
    const features = { facts: [fact], problems: ['hook phones is rejecting deliveries'], tables: [table] };
    const { headline, facts, tables } = shown({ ...well, features });
    expect(headline).toBe('Problems: hook phones is rejecting deliveries.');
    expect(facts).toContainEqual(fact);
    expect(tables).toContainEqual(table);
  });

  it('names a user group that Slack does not list', () => {
    const withheld = [{ what: 'user group', group: 'S0GONE', code: 'no_such_subteam' }] as const;
    const { headline, notes } = shown({ ...well, withheld });
    expect(headline).toBe('Problems: Slack does not list the user group S0GONE.');
    expect(notes?.join(' ')).toContain('no_such_subteam');
  });
});
