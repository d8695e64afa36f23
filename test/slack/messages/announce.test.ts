import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import type { Rulebook } from '../../../src/model/rulebook/rulebook.ts';
import { createRulesNotifier, renderBrokenRules } from '../../../src/slack/messages/announce.ts';
import { knownOperations } from '../../config/known-operations.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { outlineMessage } from '../outline.ts';

const problems = ['bellhop.yaml:3:5: rules[0].then: is missing: give <allow>.'];

function rulebook(more: string): Rulebook {
  const yaml = `roles:
  leads: { users: [U0CAROL, T0LOCAL/U0LEE, T0OTHER/U0SARA], usergroups: [S0ONCALL] }
  others: { users: [U0BOB] }
rules:
  - { roles: [others], then: approve, approvers: [leads] }
${more}`;
  const result = parseRulebook(Buffer.from(yaml), 'bellhop.yaml', knownOperations);
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  return result.rulebook;
}

function stage() {
  const clock = createDrivenClock();
  const told: string[] = [];
  const logged: string[] = [];
  const seen = new Set<string>();
  const world = { refusesPosts: 0, knowsGroup: true };
  const ports: Parameters<typeof createRulesNotifier>[0] = {
    api: {
      postMessage(user) {
        if (world.refusesPosts > 0) {
          world.refusesPosts -= 1;
          return Promise.reject(new Error('Slack is down'));
        }
        told.push(user);
        return Promise.resolve({ channel: 'D0', ts: '1.1' });
      },
      usergroupMembers: () =>
        world.knowsGroup ? Promise.resolve(['U0DAN', 'U0CAROL']) : Promise.reject(new Error('no such group')),
    },
    store: {
      claimOnce: (key) => Promise.resolve(!seen.has(key) && Boolean(seen.add(key))),
    },
    clock,
    log: { info() {}, warn: (_, text) => void logged.push(text), error() {} },
    ownTeam: 'T0LOCAL',
    disclaimers: [],
  };
  return { ports, told, logged, clock, world };
}

it('people who were notified of a broken bellhop.yaml are notified once when it is fixed', async () => {
  const { ports, told, clock, world } = stage();
  const rules = rulebook('announce: { broken_rules: [others] }\n');
  const [one, other] = [createRulesNotifier(ports), createRulesNotifier(ports)];
  await Promise.all([one.rejected(rules, problems), other.rejected(rules, problems)]);
  await Promise.all([one.mended(), other.mended(), one.mended()]);
  expect(told).toEqual(['U0BOB', 'U0BOB']);
  world.refusesPosts = 1;
  const late = one.rejected(rules, ['bellhop.yaml:1:1: another problem']);
  await clock.advance(0);
  await one.mended();
  await clock.advance(2000);
  await late;
  expect(told).toEqual(['U0BOB', 'U0BOB']);
});

describe('a refused bellhop.yaml', () => {
  it('is told with every problem, and with what holds now', () => {
    expect(outlineMessage(renderBrokenRules(problems, ['local']))).toMatchInlineSnapshot(`
      "text: The new bellhop.yaml is invalid. The previous rules stay in force.
      header: The new bellhop.yaml is invalid
      section: The new bellhop.yaml is invalid. The previous rules stay in force. Fix these problems. The file is then reloaded automatically.
          bellhop.yaml:3:5: rules[0].then: is missing: give <allow>.
      small: ⚠️ local"
    `);
  });

  it('is told to the person who approves, by id and by user group, of the own team, each once', async () => {
    const { ports, told, clock } = stage();
    const telling = createRulesNotifier(ports).rejected(rulebook(''), problems);
    await clock.advance(0);
    await telling;
    expect(told.toSorted()).toEqual(['U0CAROL', 'U0DAN', 'U0LEE']);
  });

  it('is told to the roles that the file in force names', async () => {
    const { ports, told } = stage();
    await createRulesNotifier(ports).rejected(rulebook('announce: { broken_rules: [others] }\n'), problems);
    expect(told).toEqual(['U0BOB']);
  });

  it('is told by one replica, and again where the problems are others', async () => {
    const { ports, told } = stage();
    const rules = rulebook('announce: { broken_rules: [others] }\n');
    await Promise.all([
      createRulesNotifier(ports).rejected(rules, problems),
      createRulesNotifier(ports).rejected(rules, problems),
    ]);
    expect(told).toEqual(['U0BOB']);
    await createRulesNotifier(ports).rejected(rules, ['bellhop.yaml:1:1: another problem']);
    expect(told).toEqual(['U0BOB', 'U0BOB']);
  });

  it('is told again and again while Slack is away, to the listed even where a group is unknown', async () => {
    const { ports, told, logged, clock, world } = stage();
    world.knowsGroup = false;
    world.refusesPosts = 4;
    const telling = createRulesNotifier(ports).rejected(rulebook(''), problems);
    await clock.advance(12_000);
    await telling;
    expect(told.toSorted()).toEqual(['U0CAROL', 'U0LEE']);
    expect(logged).toHaveLength(5);
  });

  it('is left to the log if no one is named', async () => {
    const { ports, told, logged } = stage();
    const empty = parseRulebook(Buffer.from('rules: []\n'), 'bellhop.yaml', knownOperations);
    if (empty.ok) await createRulesNotifier(ports).rejected(empty.rulebook, problems);
    expect(told).toEqual([]);
    expect(logged).toEqual(['no one is configured to be notified of the invalid bellhop.yaml']);
  });
});
