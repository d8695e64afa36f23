import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { sections } from '../../../src/features/index.ts';
import { goodFile, parse } from './good-file.ts';

function hash(yaml: string): string | undefined {
  const result = parse(yaml);
  return result.ok ? result.rulebook.policy.hash : undefined;
}

describe('a good file', () => {
  it('becomes inventory and times', () => {
    const result = parse(goodFile);
    const {
      policy: _,
      sections: own,
      ...rest
    } = result.ok ? result.rulebook : { policy: undefined, sections: {} };
    expect(Object.keys(own).toSorted()).toEqual(sections.map((section) => section.name).toSorted());
    expect(rest).toMatchInlineSnapshot(`
      {
        "announce": {
          "brokenRules": [
            "leads",
          ],
        },
        "auditKeys": [],
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
        "ownSecrets": [],
        "readTimeoutMs": 10000,
        "secrets": {},
        "timeoutMs": 30000,
      }
    `);
  });

  it('is identified by the SHA-256 of its bytes, so that a comment, too, makes another', () => {
    expect(hash(goodFile)).toBe(createHash('sha256').update(goodFile).digest('hex'));
    expect(hash(`${goodFile}# x\n`)).toMatch(/^[0-9a-f]{64}$/u);
    expect(hash(`${goodFile}# x\n`)).not.toBe(hash(goodFile));
  });

  it('becomes rules that no one can change', () => {
    const result = parse(goodFile);
    const rules: unknown = result.ok ? result.rulebook.policy.rules : [];
    expect(() => Array.prototype.push.call(rules, 'another')).toThrow(TypeError);
  });

  it('has defaults for all omitted keys', () => {
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
        announce: { brokenRules: [] },
        auditKeys: [],
        sections: { hooks: {}, publication: { publish: [], witnesses: [] } },
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
