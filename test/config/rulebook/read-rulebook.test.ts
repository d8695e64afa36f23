import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { knownOperations } from '../known-operations.ts';

const parse = (yaml: string) => parseRulebook(Buffer.from(yaml), 'bellhop.yaml', knownOperations);

function hash(yaml: string): string | undefined {
  const result = parse(yaml);
  return result.ok ? result.rulebook.policy.hash : undefined;
}

describe('a good file', () => {
  const yaml = `
project: 1186668
region: 76
regions: { 76: Luxembourg-2 }
instances:
  web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476, labels: &staging { env: staging, tier: web } }
  web-2: { id: 2f1b7c1e, region: 180, labels: *staging }
  7: { id: seven }
  <!channel>: { id: hostile }
containers:
  api: { project: 5, labels: { env: production } }
roles:
  responders: { users: [U0ALICE, T0OTHER/U0SARA, W0GRID], usergroups: [S0ONCALL] }
  leads: { users: [U0CAROL, U0DAN] }
rules:
  - { name: reads, risk: read, roles: [anyone], then: allow }
  - { risk: [change, destructive], teams: [T0OTHER], then: deny }
  - operations: [cloud.*]
    labels: { env: production }
    channels: [C0OPS, G0PRIVATE, D0ALICE]
    roles: [responders]
    then: approve
    approvers: [leads]
    approvals: 2
    confirm: type-name
    break_glass: [leads]
  - { operations: [cdn.raw-logs], arguments: { enabled: false }, roles: [leads], then: confirm }
  - { name: 7, operations: [storage.*], roles: [leads], then: allow, confirm: never }
  - { roles: [leads], then: allow }
freeze:
  - labels: { env: production }
    from: 2026-12-24T18:00:00+01:00
    to: 2026-12-27T06:00Z
    except: [leads]
    reason: holidays
  - { from: 2027-01-01T00:00:00Z, to: 2027-01-01T12:00:00Z }
limits:
  - { per: person, at_most: 5, within: 10m }
  - { per: target, at_most: 1, within: 60s, operations: [cloud.*], labels: { tier: web } }
guard:
  - { labels: { tier: web }, approvers: [leads] }
announce: { break_glass: C0LEADS }
requests: { expire_after: 1h30m, lease: 45s, drain: 20s, keep: 30d }
extensions: [instance-read]
`;

  it('becomes inventory, policy and times', () => {
    const result = parse(yaml);
    expect(result.ok ? result.rulebook : findingLines(result.findings)).toMatchInlineSnapshot(`
      {
        "agents": {},
        "announce": {
          "breakGlass": "C0LEADS",
          "brokenRules": [
            "leads",
          ],
        },
        "audit": {
          "keys": [],
          "publish": [],
          "witnesses": [],
        },
        "drainMs": 20000,
        "expireAfterMs": 5400000,
        "extensions": [
          "instance-read",
        ],
        "guards": [
          {
            "approvers": [
              "leads",
            ],
            "keep": 1,
            "labels": {
              "tier": "web",
            },
          },
        ],
        "hooks": {},
        "identity": undefined,
        "inventory": {
          "accounts": undefined,
          "containers": {
            "api": {
              "labels": {
                "env": "production",
              },
              "project": 5,
            },
          },
          "instances": {
            "7": {
              "id": "seven",
              "labels": {},
            },
            "<!channel>": {
              "id": "hostile",
              "labels": {},
            },
            "web-1": {
              "id": "6c6aa80f-7836-4dc2-a2ae-125e248be476",
              "labels": {
                "env": "staging",
                "tier": "web",
              },
            },
            "web-2": {
              "id": "2f1b7c1e",
              "labels": {
                "env": "staging",
                "tier": "web",
              },
              "region": 180,
            },
          },
          "project": 1186668,
          "region": 76,
          "regions": {
            "76": "Luxembourg-2",
          },
          "targets": {},
        },
        "keepMs": 2592000000,
        "leaseMs": 45000,
        "limits": [
          {
            "atMost": 5,
            "per": "person",
            "withinMs": 600000,
          },
          {
            "atMost": 1,
            "labels": {
              "tier": "web",
            },
            "operations": [
              "cloud.*",
            ],
            "per": "target",
            "withinMs": 60000,
          },
        ],
        "links": {},
        "policy": {
          "freeze": [
            {
              "except": [
                "leads",
              ],
              "from": 1798131600000,
              "labels": {
                "env": "production",
              },
              "reason": "holidays",
              "to": 1798351200000,
            },
            {
              "except": [],
              "from": 1798761600000,
              "labels": {},
              "to": 1798804800000,
            },
          ],
          "hash": "97ffc70c86baa7effecce7a3dd7dd8deaf96bab64a87f4c7cd0e69438b8075dc",
          "roles": {
            "leads": {
              "usergroups": [],
              "users": [
                "U0CAROL",
                "U0DAN",
              ],
            },
            "responders": {
              "usergroups": [
                "S0ONCALL",
              ],
              "users": [
                "U0ALICE",
                "T0OTHER/U0SARA",
                "W0GRID",
              ],
            },
          },
          "rules": [
            {
              "approvals": 1,
              "approvers": [],
              "approversAfter": undefined,
              "breakGlass": [],
              "confirmNever": false,
              "effect": "allow",
              "name": "reads",
              "risk": [
                "read",
              ],
              "roles": [
                "anyone",
              ],
              "stepUp": undefined,
              "typeName": false,
            },
            {
              "approvals": 1,
              "approvers": [],
              "approversAfter": undefined,
              "breakGlass": [],
              "confirmNever": false,
              "effect": "deny",
              "risk": [
                "change",
                "destructive",
              ],
              "stepUp": undefined,
              "teams": [
                "T0OTHER",
              ],
              "typeName": false,
            },
            {
              "approvals": 2,
              "approvers": [
                "leads",
              ],
              "approversAfter": undefined,
              "breakGlass": [
                "leads",
              ],
              "channels": [
                "C0OPS",
                "G0PRIVATE",
                "D0ALICE",
              ],
              "confirmNever": false,
              "effect": "approve",
              "labels": {
                "env": "production",
              },
              "operations": [
                "cloud.*",
              ],
              "roles": [
                "responders",
              ],
              "stepUp": undefined,
              "typeName": true,
            },
            {
              "approvals": 1,
              "approvers": [],
              "approversAfter": undefined,
              "arguments": {
                "enabled": "false",
              },
              "breakGlass": [],
              "confirmNever": false,
              "effect": "confirm",
              "operations": [
                "cdn.raw-logs",
              ],
              "roles": [
                "leads",
              ],
              "stepUp": undefined,
              "typeName": false,
            },
            {
              "approvals": 1,
              "approvers": [],
              "approversAfter": undefined,
              "breakGlass": [],
              "confirmNever": true,
              "effect": "allow",
              "name": "7",
              "operations": [
                "storage.*",
              ],
              "roles": [
                "leads",
              ],
              "stepUp": undefined,
              "typeName": false,
            },
            {
              "approvals": 1,
              "approvers": [],
              "approversAfter": undefined,
              "breakGlass": [],
              "confirmNever": false,
              "effect": "allow",
              "roles": [
                "leads",
              ],
              "stepUp": undefined,
              "typeName": false,
            },
          ],
        },
        "readTimeoutMs": 10000,
        "schedules": {},
        "secrets": {},
        "timeoutMs": 30000,
      }
    `);
  });

  it('is identified by the SHA-256 of its bytes, so that a comment, too, makes another', () => {
    expect(hash(yaml)).toBe(createHash('sha256').update(yaml).digest('hex'));
    expect(hash(`${yaml}# x\n`)).toMatch(/^[0-9a-f]{64}$/u);
    expect(hash(`${yaml}# x\n`)).not.toBe(hash(yaml));
  });

  it('becomes rules that no one can change', () => {
    const result = parse(yaml);
    const rules: unknown = result.ok ? result.rulebook.policy.rules : [];
    expect(() => Array.prototype.push.call(rules, 'another')).toThrow(TypeError);
  });

  it('has defaults for all that it leaves out', () => {
    const result = parse('requests: {}\n');
    expect(result).toMatchObject({
      ok: true,
      rulebook: {
        inventory: { regions: {}, instances: {}, containers: {} },
        policy: { roles: {}, rules: [], freeze: [] },
        expireAfterMs: 900_000,
        leaseMs: 60_000,
        drainMs: 10_000,
        keepMs: 90 * 24 * 60 * 60_000,
        extensions: [],
        limits: [],
        guards: [],
        hooks: {},
        announce: { breakGlass: undefined, brokenRules: [] },
        audit: { keys: [], publish: [], witnesses: [] },
      },
    });
  });
});

it('the rulebook takes 10,000 instances with their labels, and says of more that they are too many', () => {
  const labels = 'env: production, tier: web, team: shop, rack: r7, os: linux';
  const listed = (count: number): string =>
    Array.from({ length: count }, (_, at) => `  host-${at}: { id: h${at}, labels: { ${labels} } }\n`).join(
      '',
    );
  const result = parse(`instances:\n${listed(10_001)}`);
  expect(result.ok ? [] : findingLines(result.findings)).toEqual([
    'bellhop.yaml:2:3: instances: has more than 10,000 instances. Run a Bellhop per region, or list only instances that rules or people name.',
  ]);
});
