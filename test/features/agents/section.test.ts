import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import type { Surroundings } from '../../../src/model/section.ts';
import { agentsSection } from '../../../src/features/agents/suggestions/section.ts';
import { operations } from '../../../src/operations/index.ts';

const parse = (yaml: string, surroundings?: Surroundings) =>
  parseRulebook(Buffer.from(yaml), 'b.yaml', operations, surroundings);

function problems(yaml: string, surroundings?: Surroundings): readonly string[] {
  const result = parse(yaml, surroundings);
  return findingLines(result.ok ? result.warnings() : result.findings);
}

const people = '{ roles: [anyone], then: confirm }';
const base = 'project: 1\nregion: 2\ninstances: { web-1: { id: w1 } }\n';
const holmes = 'holmes: { token: secret:holmes, channel: C0INC42 }';
const agents = (...lines: readonly string[]): string =>
  `${base}rules: [${people}]\nagents:\n${lines.map((line) => `  ${line}\n`).join('')}`;
const rule = (text: string): string => `${base}agents: { ${holmes} }\nrules:\n  - ${text}\n  - ${people}\n`;

describe('agents of bellhop.yaml', () => {
  it('are read, with defaults for omitted keys', () => {
    const result = parse(
      agents(holmes, 'quick: { token: secret:q, channel: C0OPS, suggestions: 3, open: 1, expire_after: 5s }'),
    );
    expect(result.ok && agentsSection.of(result.rulebook)).toEqual({
      holmes: {
        token: 'secret:holmes',
        channel: 'C0INC42',
        suggestions: 20,
        reads: 1000,
        open: 5,
        expireAfterMs: 15 * 60_000,
      },
      quick: {
        token: 'secret:q',
        channel: 'C0OPS',
        suggestions: 3,
        reads: 1000,
        open: 1,
        expireAfterMs: 5_000,
      },
    });
  });

  it('may read by a rule that names them', () => {
    const result = parse(
      rule('{ name: look, agents: [holmes], risk: read, operations: [cloud.*], then: allow }'),
    );
    expect(result.ok && result.rulebook.policy.rules[0]).toMatchObject({
      programs: ['agent:holmes'],
      effect: 'allow',
    });
    expect(problems(rule('{ agents: [holmes], operations: [cloud.ips, cdn.metrics], then: allow }'))).toEqual(
      [],
    );
    expect(problems(rule('{ agents: [holmes], risk: read, then: allow }'))).toEqual([]);
  });

  it.each<[string, string, string]>([
    [
      'two of them with one token',
      agents(holmes, 'watson: { token: secret:holmes, channel: C0OPS }'),
      'b.yaml:7:20: agents.watson.token: is already the token of agent “holmes”. Give each agent its own token.',
    ],
    [
      'a token itself instead of its name',
      agents('holmes: { token: hunter2, channel: C0INC42 }'),
      'b.yaml:6:20: agents.holmes.token: must be the name of a secret, such as secret:grafana-hook, never the secret itself.',
    ],
    [
      'a channel by its name',
      agents('holmes: { token: secret:holmes, channel: "#incidents" }'),
      'b.yaml:6:44: agents.holmes.channel: must be the id of a channel (C…, G… or D…), not its name. It is at the bottom of “View channel details”.',
    ],
    [
      'an invalid name',
      agents('Holmes.1: { token: secret:holmes, channel: C0INC42 }'),
      'b.yaml:6:3: agents.Holmes.1: must be at most 40 lower-case letters, digits and -.',
    ],
    [
      'a misspelt key',
      agents('holmes: { token: secret:holmes, channel: C0INC42, suggestion: 3 }'),
      'b.yaml:6:53: agents.holmes.suggestion: is not a valid key here. Did you mean “suggestions”?',
    ],
    [
      'more suggestions than anyone reads',
      agents('holmes: { token: secret:holmes, channel: C0INC42, suggestions: 1000 }'),
      'b.yaml:6:66: agents.holmes.suggestions: must be at most 200.',
    ],
    [
      'an expiry beyond a day',
      agents('holmes: { token: secret:holmes, channel: C0INC42, expire_after: 2d }'),
      'b.yaml:6:67: agents.holmes.expire_after: must be a duration from 1s to 24h, such as 15m, 60s or 1h30m.',
    ],
    [
      'a rule that names none of them',
      rule('{ agents: [homes], risk: read, then: allow }'),
      'b.yaml:6:16: rules[0].agents[0]: the agent “homes” is not defined under agents. Did you mean “holmes”?',
    ],
    ...(['confirm', 'approve', 'deny'] as const).map((then): [string, string, string] => [
      `a rule that says ${then}`,
      rule(`{ agents: [holmes], risk: read, then: ${then} }`),
      'b.yaml:6:43: rules[0].then: must be allow, because agents only read.',
    ]),
    [
      'a rule for a change',
      rule('{ agents: [holmes], risk: [read, change], then: allow }'),
      'b.yaml:6:38: rules[0].risk[1]: must be read, because agents only read.',
    ],
    [
      'a rule that names a change',
      rule('{ agents: [holmes], risk: read, operations: [cloud.ips, cloud.reboot], then: allow }'),
      'b.yaml:6:61: rules[0].operations[1]: is a change, and agents only read. Remove cloud.reboot.',
    ],
    [
      'a rule that reaches changes',
      rule('{ agents: [holmes], operations: [cloud.*], then: allow }'),
      'b.yaml:6:7: rules[0].agents: applies to agents, but matches changes such as cloud.reboot. Add “risk: read”.',
    ],
    [
      'a rule about everything',
      rule('{ agents: [holmes], then: allow }'),
      'b.yaml:6:7: rules[0].agents: applies to agents, but matches changes such as cloud.reboot. Add “risk: read”.',
    ],
    [
      'a rule for agents and people',
      rule('{ agents: [holmes], roles: [anyone], risk: read, then: allow }'),
      'b.yaml:6:25: rules[0].roles: applies to people, but a rule with “agents” does not. Remove one of the two.',
    ],
    [
      'a rule that asks for no confirmation',
      rule('{ agents: [holmes], risk: read, then: allow, confirm: never }'),
      'b.yaml:6:50: rules[0].confirm: applies to people, but a rule with “agents” does not. Remove one of the two.',
    ],
    [
      'a token that no secret is behind',
      agents(holmes),
      'b.yaml:6:20: warning: agents.holmes.token: secret:holmes does not exist, so the agent is always rejected. Set BELLHOP_SECRET_HOLMES, or put it into the file holmes in BELLHOP_SECRETS_DIR.',
    ],
    [
      'a rule that an earlier one for agents decides',
      `${base}agents: { ${holmes} }\nrules:\n  - ${people}\n  - { agents: [holmes], risk: read, then: allow }\n  - { agents: [holmes], operations: [cloud.ips], then: allow }\n`,
      'b.yaml:8:5: warning: rules[2]: never decides anything: rule 2 before it decides everything it matches.',
    ],
  ])('%s', (_, yaml, problem) => {
    expect(problems(yaml, { unusable: 'warning' })).toContain(problem);
  });

  it('are refused where two tokens have one value', () => {
    const two = agents(holmes, 'watson: { token: secret:other, channel: C0OPS }');
    expect(problems(two, { alikeSecrets: [['holmes', 'other']] })).toEqual([
      'b.yaml:7:20: agents.watson.token: shares a value with the token of the agent “holmes”. Give each agent its own token.',
    ]);
  });

  it('keep their tokens out of forms', () => {
    expect(problems(`${agents(holmes)}secrets: { holmes: { fields: [s3_secret_key] } }\n`)).toEqual(
      expect.arrayContaining([expect.stringContaining('secrets.holmes: secret:holmes is used by agents')]),
    );
  });
});
