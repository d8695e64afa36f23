import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/rulebook/findings.ts';
import { readSampleRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import type { Person } from '../../../src/core/model/actor.ts';
import { findInstance } from '../../../src/core/model/inventory.ts';
import { decide } from '../../../src/core/policy/policy.ts';
import type { Directory } from '../../../src/core/model/ports.ts';
import { rolesOf } from '../../../src/core/policy/roles.ts';
import type { Rulebook, Risk } from '../../../src/core/model/rulebook.ts';
import type { Target } from '../../../src/core/model/target.ts';
import { knownOperations } from '../known-operations.ts';

/** The people of the local workspace; Alice is in the user group, too. */
const people: Readonly<Record<string, Person>> = {
  Alice: person('T0LOCAL', 'U0ALICE', true),
  Bob: person('T0LOCAL', 'U0BOB', true),
  Carol: person('T0LOCAL', 'U0CAROL', true),
  Gus: person('T0LOCAL', 'U0GUS', false),
  Sara: person('T0OTHER', 'U0SARA', false),
};

function person(team: string, user: string, fullMember: boolean): Person {
  return { team, user, fullMember, guest: user === 'U0GUS', timeZone: 'UTC' };
}

const directory: Directory = {
  person: (actor) => Promise.resolve(Object.values(people).find(({ user }) => user === actor.user)),
  inUsergroup: (group, actor) =>
    Promise.resolve(group === 'S0ONCALL' && actor.user === 'U0ALICE' ? 'held' : 'not held'),
};

function sample(): Rulebook {
  const result = readSampleRulebook(knownOperations);
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  return result.rulebook;
}

const cdn: Target = { kind: 'cdn', name: 'CDN account', labels: {} };
const bucket: Target = { kind: 'bucket', name: 's/b', storage: 's', bucket: 'b', labels: {} };

const targetOf = (rulebook: Rulebook, name: string): Target =>
  ({ cdn, bucket })[name] ?? findInstance(rulebook.inventory, name);

async function effect(
  who: string,
  operation: string,
  risk: Risk,
  on: string,
  channel: string,
): Promise<string> {
  const { policy, inventory, ...rest } = sample();
  const asker = people[who];
  if (!asker) throw new Error(`nobody is called ${who}`);
  return decide(policy, {
    operation: { name: operation, risk },
    input: {},
    target: targetOf({ policy, inventory, ...rest }, on),
    team: asker.team,
    place: { team: 'T0LOCAL', channel },
    roles: await rolesOf(policy.roles, asker, asker, directory, 'T0LOCAL'),
    breakGlass: false,
    now: 0,
  }).effect;
}

describe('the sample, with the people of the local workspace', () => {
  it.each<[string, string, Risk, string, string, string]>([
    ['Alice', 'cloud.container', 'read', 'web-1', 'C0GENERAL', 'allow'],
    ['Bob', 'cloud.container', 'read', 'db-1', 'C0GENERAL', 'allow'],
    ['Carol', 'cdn.metrics', 'read', 'cdn', 'C0OPS', 'allow'],
    ['Gus', 'cloud.ips', 'read', 'web-1', 'C0OPS', 'deny'],
    ['Sara', 'cloud.ips', 'read', 'web-1', 'C0OPS', 'deny'],
    ['Alice', 'cloud.reboot', 'destructive', 'web-1', 'C0OPS', 'confirm'],
    ['Alice', 'cloud.reboot', 'destructive', 'web-2', 'C0INC42', 'confirm'],
    ['Carol', 'cloud.stop', 'destructive', 'web-1', 'C0INC42', 'confirm'],
    ['Alice', 'cloud.reboot', 'destructive', 'web-1', 'C0GENERAL', 'deny'],
    ['Bob', 'cloud.reboot', 'destructive', 'web-1', 'C0OPS', 'deny'],
    ['Gus', 'cloud.reboot', 'destructive', 'web-1', 'C0OPS', 'deny'],
    ['Sara', 'cloud.reboot', 'destructive', 'web-1', 'C0OPS', 'deny'],
    ['Alice', 'cloud.reboot', 'destructive', 'db-1', 'C0OPS', 'approve'],
    ['Alice', 'cloud.stop', 'destructive', 'db-1', 'C0GENERAL', 'approve'],
    ['Carol', 'cloud.reboot', 'destructive', 'db-1', 'C0OPS', 'deny'],
    ['Bob', 'cloud.reboot', 'destructive', 'db-1', 'C0OPS', 'deny'],
    ['Alice', 'cloud.reboot', 'destructive', '1/2/unlisted', 'C0OPS', 'approve'],
    ['Carol', 'cloud.reboot', 'destructive', '1/2/unlisted', 'C0OPS', 'deny'],
    [
      'Alice',
      'cloud.reboot',
      'destructive',
      '1186668/180/0d9c0a3a52a54a1b8f0e0d5f4c1b7a11',
      'C0OPS',
      'approve',
    ],
    ['Alice', 'cdn.raw-logs', 'change', 'cdn', 'C0OPS', 'approve'],
    ['Alice', 'cdn.raw-logs', 'change', 'cdn', 'C0GENERAL', 'deny'],
    ['Carol', 'storage.post', 'change', 'bucket', 'C0OPS', 'confirm'],
    ['Alice', 'storage.post', 'change', 'bucket', 'C0INC42', 'deny'],
    ['Bob', 'cdn.raw-logs', 'change', 'cdn', 'C0OPS', 'deny'],
  ])('%s: %s (%s) on %s in %s: %s', async (who, operation, risk, on, channel, expected) => {
    expect(await effect(who, operation, risk, on, channel)).toBe(expected);
  });

  it('names the instances that the local service has, where they are', () => {
    const { inventory } = sample();
    expect(Object.keys(inventory.instances).map((name) => findInstance(inventory, name))).toMatchObject([
      { name: 'web-1', project: 1186668, region: 76, regionName: 'Luxembourg-2' },
      { name: 'web-2', id: '2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10', region: 76 },
      { name: 'db-1', region: 180, regionName: 'Frankfurt-2', labels: { env: 'production' } },
    ]);
  });
});
