import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { introspect } from '../../src/run/introspect.ts';
import { openBoxes, rule, type BoxStage } from './sample-boxes.ts';
import { people, type Who } from '../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const place = { team: 'T0LOCAL', channel: 'C0OPS' };
const explained = (who: Who, text: string) =>
  introspect(stage.context).explain({ actor: people[who], place }, 'box', text);

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
    await expect(explained('alice', 'kick')).rejects.toThrow(
      'Enter a complete command, such as: cloud reboot web-1.',
    );
    await expect(explained('alice', 'kik web-1')).rejects.toThrow('Did you mean “/box kick”?');
    await expect(explained('alice', 'kick web-9')).rejects.toThrow('lists no instance “web-9”');
  });
});

/** A rule that names the audit. */
const named = (roles: readonly string[], effect: 'allow' | 'deny' = 'allow') =>
  rule(effect, { name: 'audit', operations: ['bellhop.audit'], roles: [...roles] });

describe('the audit', () => {
  const allReads = rule('allow', { risk: ['read'], roles: ['anyone'] });

  it.each([
    ['no rule that names it, whatever allows all reads', [allReads], []],
    ['a pattern that means it too', [rule('allow', { operations: ['bellhop.*'], roles: ['leads'] })], []],
    ['a rule of others that names it', [named(['responders']), allReads], []],
    ['a rule of their own that names it', [allReads, named(['leads'])], ['box.look']],
    ['a denial above that rule', [named(['leads'], 'deny'), named(['leads'])], []],
    ['a rule of a role that cannot be looked up', [named(['night'])], []],
  ])('with %s, shows a lead what others read: %#', async (_, rules, seen) => {
    await stage.store.record([
      { at: 1, event: 'read', actor: people.alice, operation: 'box.look', policyHash: 'policy' },
    ]);
    stage.rules(rules);
    const entries = await introspect(stage.context).audit({ actor: people.carol, place }, { limit: 10 });
    expect(entries.map(({ operation }) => operation)).toEqual(seen);
    expect(await introspect(stage.context).audit({ actor: people.alice, place }, { limit: 10 })).toHaveLength(
      1,
    );
  });
});

describe('a link to a request', () => {
  it('is omitted if its request cannot be read, so that the others are listed', async () => {
    const broken = { ...stage.context.store, find: () => Promise.reject(new Error('unreadable')) };
    const inside = introspect({ ...stage.context, store: broken });
    expect(await inside.linkTo('r-1')).toBeUndefined();
  });
});

const help = async (who: Who) => {
  const { facts } = await introspect(stage.context).helpHere(people[who], place);
  return facts?.flatMap(({ value }) => value.match(/^\/box \w+/gmu) ?? []);
};

describe('help for someone', () => {
  it('lists the operations that some rule allows them on some target', async () => {
    expect(await help('alice')).toEqual(['/box kick', '/box shove', '/box look']);
    expect(await help('bob')).toEqual(['/box look']);
    expect(await help('gus, a guest')).toEqual([]);
  });

  it('lists nothing that a rule might deny anyone who cannot be looked up', async () => {
    const confirms = rule('confirm', { roles: ['anyone'] });
    stage.rules([rule('deny', { operations: ['box.kick'], roles: ['night'] }), confirms]);
    expect(await help('bob')).toEqual(['/box shove', '/box look']);
    stage.rules([rule('confirm', { labels: { env: 'production' }, roles: ['night'] }), confirms]);
    expect(await help('bob')).toEqual(['/box kick', '/box shove', '/box look']);
  });
});
