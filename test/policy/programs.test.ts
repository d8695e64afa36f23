import { describe, expect, it } from 'vitest';

import { parse } from '../../src/command/grammar/grammar.ts';
import { resolve } from '../../src/command/resolve.ts';
import { programActor } from '../../src/model/values/actor.ts';
import type { Rule } from '../../src/model/rulebook/rulebook.ts';
import { authorize, offered } from '../../src/policy/authorize.ts';
import { people, peopleDirectory, roles } from '../people.ts';
import { coreFor } from '../core.ts';
import { inventory, registry } from '../run/sample-registry.ts';

const rule = (effect: Rule['effect'], conditions: Partial<Rule>): Rule => ({
  approvers: [],
  approvals: 1,
  typeName: false,
  breakGlass: [],
  ...conditions,
  effect,
});

const place = { team: 'T0LOCAL', channel: 'C0INC42' };

function stageWith(...rules: readonly Rule[]) {
  const asked: string[] = [];
  const { context } = coreFor({
    registry,
    directory: {
      ...peopleDirectory,
      person(actor) {
        asked.push(actor.user);
        return peopleDirectory.person(actor);
      },
    },
    rulebook: { inventory, policy: { roles, rules, freeze: [], hash: 'policy' } },
    now: 0,
  });
  const effectFor = async (actor: { team: string; user: string }, typed: string): Promise<string> => {
    const [area = '', text = ''] = typed.slice(1).split(/ (.*)/su);
    const parsed = parse(registry, area, text);
    if (parsed.kind !== 'command') throw new Error(`${typed} is not a command`);
    const { decision } = await authorize(context, resolve(parsed, inventory), { actor, place });
    return decision.effect;
  };
  return { context, asked, effectFor };
}

const holmes = programActor('T0LOCAL', 'agent', 'holmes');
const alice = people.alice;

describe('a rule about programs', () => {
  it('lets the agent that it names read, and no one else', async () => {
    const { effectFor, asked } = stageWith(rule('allow', { programs: ['agent:holmes'], risk: ['read'] }));
    expect(await effectFor(holmes, '/cloud ips')).toBe('allow');
    expect(await effectFor(programActor('T0LOCAL', 'agent', 'watson'), '/cloud ips')).toBe('deny');
    expect(asked).toEqual([]);
    expect(await effectFor(alice, '/cloud ips')).toBe('deny');
  });

  it('lets no agent change anything, whatever it says', async () => {
    const { effectFor, context } = stageWith(
      rule('allow', { programs: ['agent:holmes'], confirmNever: true }),
    );
    expect(await effectFor(holmes, '/cloud reboot web-1')).toBe('deny');
    const names = (await offered(context, holmes, place)).map(({ operation }) => operation.name);
    expect(names).toContain('cloud.ips');
    expect(names).not.toContain('cloud.reboot');
  });

  it('is the only one that counts for an agent: not one for everyone, and no denial', async () => {
    const { effectFor } = stageWith(
      rule('deny', { operations: ['cloud.ips'] }),
      rule('allow', { roles: ['anyone'], risk: ['read'] }),
      rule('allow', { programs: ['agent:holmes'], operations: ['cloud.ips'], risk: ['read'] }),
    );
    expect(await effectFor(holmes, '/cloud ips')).toBe('allow');
    expect(await effectFor(holmes, '/cloud container api')).toBe('deny');
    expect(await effectFor(alice, '/cloud ips')).toBe('deny');
    expect(await effectFor(alice, '/cloud container api')).toBe('allow');
  });

  it('never lets someone who is called like an agent', async () => {
    const { effectFor } = stageWith(rule('allow', { programs: ['agent:holmes'], risk: ['read'] }));
    expect(await effectFor({ team: 'T0LOCAL', user: 'holmes' }, '/cloud ips')).toBe('deny');
  });
});
