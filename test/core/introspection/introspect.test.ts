import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { introspect } from '../../../src/core/introspection/introspect.ts';
import { type SampleStage, openSampleStage, rule, type Who } from '../sample-instances.ts';
import { people } from '../policy/who-may.ts';

let stage: SampleStage;
beforeEach(async () => {
  stage = await openSampleStage();
});
afterEach(() => stage.close());

const place = { team: 'T0LOCAL', channel: 'C0OPS' };
const explained = (who: Who, text: string) =>
  introspect(stage.context).explain(people[who], place, 'box', text);

describe('an explanation', () => {
  it.each<[who: Who, text: string, effect: string, whoMay: object]>([
    ['alice', 'kick web-1', 'confirm', { roles: [] }],
    ['alice', 'kick db-1', 'approve', { users: ['U0CAROL', 'U0LEE'], usergroups: ['S0ONCALL'] }],
    ['lee', 'kick db-1 --break-glass fire', 'confirm', { roles: [] }],
    ['bob', 'kick web-1', 'deny', { roles: ['responders', 'leads'] }],
    ['gus, a guest', 'look web-1', 'deny', { roles: ['anyone', 'responders', 'leads'] }],
  ])('of %s with “%s” is %s, and nothing is done or written', async (who, text, effect, whoMay) => {
    const explanation = await explained(who, text);
    expect(explanation).toMatchObject({ decision: { effect }, target: { kind: 'instance' }, whoMay });
    expect(await stage.store.list({ limit: 1 })).toEqual([]);
    expect(await stage.store.audit({ limit: 1 })).toEqual([]);
  });

  it('needs a whole command', async () => {
    await expect(explained('alice', 'kick')).rejects.toThrow('Give a whole command');
    await expect(explained('alice', 'kik web-1')).rejects.toThrow('Did you mean “/box kick”?');
    await expect(explained('alice', 'kick web-9')).rejects.toThrow('has no instance “web-9”');
  });
});

describe('a link to a request', () => {
  it('is left out where that very request cannot be read, so that the others are told', async () => {
    const broken = { ...stage.context.store, find: () => Promise.reject(new Error('unreadable')) };
    const inside = introspect({ ...stage.context, store: broken });
    expect(await inside.linkTo('r-1')).toBeUndefined();
  });
});

const help = async (who: Who) => {
  const { facts } = await introspect(stage.context).helpHere(people[who], place);
  return facts?.map(({ label }) => label.split(' ').slice(0, 2).join(' '));
};

describe('help for somebody', () => {
  it('lists what some rule lets them, on some target', async () => {
    expect(await help('alice')).toEqual(['/box kick', '/box shove', '/box look']);
    expect(await help('bob')).toEqual(['/box look']);
    expect(await help('gus, a guest')).toEqual([]);
  });

  it('lists nothing that a rule might deny whoever cannot be looked up', async () => {
    const confirms = rule('confirm', { roles: ['anyone'] });
    stage.rules([rule('deny', { operations: ['box.kick'], roles: ['night'] }), confirms]);
    expect(await help('bob')).toEqual(['/box shove', '/box look']);
    stage.rules([rule('confirm', { labels: { env: 'production' }, roles: ['night'] }), confirms]);
    expect(await help('bob')).toEqual(['/box kick', '/box shove', '/box look']);
  });
});
