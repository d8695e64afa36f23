import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { parse } from '../../../src/command/grammar/grammar.ts';
import { readInput } from '../../../src/command/grammar/check-input.ts';
import { helpOf } from '../../../src/command/grammar/help.ts';
import type { Extension } from '../../../src/model/rulebook/rulebook.ts';
import { operation } from '../../../src/bellhop/bellhop.ts';
import type { Operation } from '../../../src/model/operation.ts';
import { actionLabelOf, createRegistry, followExtensions } from '../../../src/command/grammar/registry.ts';

const shared = {
  summary: 'Does nothing.',
  risk: 'read',
  target: () => ({ kind: 'cdn', name: 'CDN account', labels: {} }) as const,
  run: () => Promise.resolve(undefined),
  report: () => ({ title: 'nothing' }),
} as const;

const input = z.strictObject({
  all: z.boolean().default(false).describe('All of them.').meta({ extension: 'floating-ip-list' }),
});
const operations: readonly Operation[] = [
  operation({ ...shared, name: 'cloud.ips', input, examples: ['/cloud ips', '/cloud ips --all'] }),
  operation({
    ...shared,
    name: 'cloud.list',
    input: z.strictObject({}),
    examples: [],
    extension: 'instance-list',
    instead: 'Look in the web console.',
  }),
];

describe('a command that needs an extension', () => {
  it('is offered if the service has it', () => {
    const registry = createRegistry(operations, ['instance-list', 'floating-ip-list']);
    expect(registry.entries.map(({ verb }) => verb)).toEqual(['ips', 'list']);
    expect(parse(registry, 'cloud', 'ips --all')).toMatchObject({ kind: 'command', values: { all: true } });
    const [entry = expect.fail()] = registry.entries;
    expect(JSON.stringify(helpOf(entry, true))).toContain('--all');
  });

  it('is not there, typed, in help or as a value from elsewhere, if the service lacks it', () => {
    const registry = createRegistry(operations, []);
    const [entry = expect.fail(), ...others] = registry.entries;
    expect(others).toEqual([]);
    expect(registry.find('cloud.list')).toBeUndefined();
    expect(() => parse(registry, 'cloud', 'list')).toThrow(
      '/cloud list is disabled. To use it, add instance-list to “extensions” in bellhop.yaml. Look in the web console.',
    );
    expect(() => parse(registry, 'cloud', 'ips --all')).toThrow('--all');
    expect(JSON.stringify(helpOf(entry, true))).not.toContain('--all');
    expect(() => readInput(entry, { all: true })).toThrow('needs floating-ip-list');
    expect(readInput(entry, {})).toEqual({ all: false });
  });

  it('comes and goes when a reload of the rules switches the extension', () => {
    let on: readonly Extension[] = [];
    const inventory = { regions: {}, instances: {}, containers: {}, targets: {} };
    const registry = followExtensions(operations, () => ({ extensions: on, inventory }));
    expect(registry.find('cloud.list')).toBeUndefined();
    on = ['instance-list'];
    expect(registry.find('cloud.list')).toBe(registry.entries[1]);
    expect(registry.areas.get('cloud')).toHaveLength(2);
    on = [];
    expect(registry.entries).toHaveLength(1);
  });
});

describe('the title of a change', () => {
  const cluster = z.string().max(60).meta({ positional: true, target: 'cluster' });
  const text = z.string().max(60).meta({ positional: true });
  it.each<[name: string, shape: z.ZodRawShape, input: object, label: string]>([
    ['backup.create', { cluster }, {}, 'create backup on'],
    ['backup.create', { cluster, text }, { text: 'nightly-1' }, 'create backup nightly-1 on'],
    ['pg.create-user', { cluster, text }, { text: 'alice' }, 'create user alice on'],
    ['pg.create-user', { text }, { text: 'alice' }, 'create user alice on'],
    ['maintenance.schedule', { cluster, text }, { text: '2h' }, 'schedule maintenance 2h on'],
    ['backup.create', { text, cluster }, { text: 'all of prod? No' }, 'create backup on'],
    [
      'backup.create',
      { text: text.meta({ secret: true }), cluster },
      { text: 'secret:a' },
      'create backup on',
    ],
    ['ticket.create', { text }, { text: 'alice' }, 'create'],
    ['backup.restore', { cluster, text }, { text: 'nightly' }, 'restore'],
    ['lb.take-out', { cluster }, {}, 'take out'],
  ])('of %s names what is created: %#', (name, shape, given, label) => {
    const create = operation({
      name,
      summary: 'Do it.',
      risk: 'change',
      input: z.strictObject(shape),
      run: () => Promise.resolve({}),
    });
    const entry = createRegistry([create], []).find(name);
    expect(actionLabelOf(entry, { operation: name, input: { cluster: 'prod', ...given } })).toBe(label);
    const own = createRegistry([{ ...create, actionLabel: 'copy' }], []).find(name);
    expect(actionLabelOf(own, { operation: name, input: {} })).toBe('copy');
  });
});
