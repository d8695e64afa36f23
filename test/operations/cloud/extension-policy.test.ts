import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { setStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const people = { alice: 'U0ALICE', bob: 'U0BOB', carol: 'U0CAROL' };

/** batch-3 of the local service, which no inventory lists: nobody knows what depends on it. */
const unlisted = '1186668/76/0a3d7c1e-0000-4000-a000-000000000000';

/** Who may use what an extension adds, by the rules of the sample: in #ops, typed as it stands here. */
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
    const actor = { team: 'T0LOCAL', user: people[who] };
    const { decision } = await stage.insight.explain(
      actor,
      { team: 'T0LOCAL', channel: 'C0OPS' },
      area,
      text,
    );
    expect([decision.effect, decision.rule]).toEqual([effect, rule]);
  });
});

it('counts a suspend and a hard reboot as taking a member of a guarded group away, a start not', () => {
  const takesAway = ['cloud.reboot', 'cloud.stop', 'cloud.suspend', 'cloud.start', 'cloud.resume'].filter(
    (name) => stage.entry(name).operation.isRunning !== undefined,
  );
  expect(takesAway).toEqual(['cloud.reboot', 'cloud.stop', 'cloud.suspend']);
});
