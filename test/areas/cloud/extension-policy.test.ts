import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { callerOf } from '../../core.ts';
import { people } from '../../people.ts';
import { openStage, setStage, type ServiceStage } from '../../operations/stage.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

/** batch-3 of the local service, which no inventory lists: no one knows what depends on it. */
const unlisted = '1186668/76/0a3d7c1e-0000-4000-a000-000000000000';

/** The people who may use an extension's commands, by the rules of the sample: in #ops, typed exactly like this. */
const whoMay = [
  ['alice', '/cloud start web-1', 'confirm', 'rule “staging”'],
  ['alice', '/cloud start db-1', 'approve', 'rule “production”'],
  ['alice', `/cloud start ${unlisted}`, 'approve', 'rule “approved by leads”'],
  ['bob', '/cloud start web-1', 'deny', 'no rule'],
  ['carol', '/cloud resume web-1', 'confirm', 'rule “staging”'],
  ['carol', '/cloud resume db-1', 'approve', 'rule “leads”'],
  ['alice', '/cloud suspend web-1', 'confirm', 'rule “staging”'],
  ['alice', '/cloud suspend db-1', 'approve', 'rule “production”'],
  ['alice', `/cloud suspend ${unlisted}`, 'approve', 'rule “approved by leads”'],
  ['bob', '/cloud suspend db-1', 'deny', 'no rule'],
  ['alice', '/cloud reboot web-1 --hard', 'confirm', 'rule “staging”'],
  ['alice', '/cloud reboot db-1 --hard', 'approve', 'rule “production”'],
  ['alice', `/cloud reboot ${unlisted} --hard`, 'approve', 'rule “approved by leads”'],
  ['bob', '/cloud reboot web-1 --hard', 'deny', 'no rule'],
  ['alice', '/cloud show db-1', 'allow', 'rule “reads”'],
  ['alice', '/cloud list', 'allow', 'rule “reads”'],
  ['bob', '/cloud list --region 180', 'allow', 'rule “reads”'],
] as const;

describe('who may use an extension', () => {
  it.each(whoMay)('%s | %s | %s | %s', async (who, line, effect, rule) => {
    const [area = '', text = ''] = line.slice(1).split(/ (.*)/su);
    const { actor } = callerOf(people[who]);
    const { decision } = await stage.insight.explain(
      { actor, place: { team: 'T0LOCAL', channel: 'C0OPS' } },
      area,
      text,
    );
    expect([decision.effect, decision.rule]).toEqual([effect, rule]);
  });
});

/** The state of what a line proposes, and the rule or guard that decided. */
const guardedState = async (guarded: ServiceStage, line: string) => {
  const answer = await guarded.ask(line);
  return answer.kind === 'request' ? [answer.request.state, answer.request.decision.rule] : answer.kind;
};

describe('a guard of the group tier=web', () => {
  const guard = { labels: { tier: 'web' }, keep: 2, approvers: ['leads'] };
  it.each(['suspend web-2', 'stop web-2', 'reboot web-2 --hard', 'reboot web-2'])(
    'has /cloud %s approved where the other is suspended',
    async (words) => {
      const guarded = await openStage({ guards: [guard] });
      await guarded.change('/cloud suspend web-1');
      await guarded.clock.advance(10 * 60_000);
      expect(await guardedState(guarded, `/cloud ${words}`)).toEqual(['awaiting approval', 'guard 1']);
    },
  );

  it('has a suspend approved where the other was stopped a minute ago, and lets a start pass', async () => {
    const guarded = await openStage({ guards: [guard] });
    await guarded.change('/cloud stop web-1');
    expect(await guardedState(guarded, '/cloud suspend web-2')).toEqual(['awaiting approval', 'guard 1']);
    await guarded.clock.advance(60_000);
    expect(await guardedState(guarded, '/cloud start web-1')).toEqual(['proposed', 'rule “staging”']);
  });

  it('counts a suspend of minutes ago though the command is switched off since', async () => {
    const guarded = await openStage({ guards: [guard], extensions: ['instance-read', 'instance-actions'] });
    await guarded.serve('actOnInstance', { tasks: ['3f1c8e0a-52a5-4a1b-8f0e-0d5f4c1b7a11'] });
    await guarded.change('/cloud suspend web-1');
    guarded.rulebook = { ...guarded.rulebook, extensions: ['instance-read'] };
    expect(await guardedState(guarded, '/cloud stop web-2')).toEqual(['awaiting approval', 'guard 1']);
    await guarded.clock.advance(10 * 60_000);
    expect(await guardedState(guarded, '/cloud reboot web-2')).toEqual(['proposed', 'rule “staging”']);
  });
});
