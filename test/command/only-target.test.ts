import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { operation } from '../../src/bellhop/bellhop.ts';
import { parse } from '../../src/command/grammar/grammar.ts';
import { followExtensions } from '../../src/command/grammar/registry.ts';
import { resolveTyped } from '../../src/command/resolve.ts';
import type { Inventory } from '../../src/model/rulebook/target.ts';

const silence = operation({
  name: 'am.silence',
  summary: 'Silence alerts.',
  risk: 'change',
  input: z.strictObject({
    alertmanager: z
      .string()
      .max(60)
      .optional()
      .describe('The Alertmanager.')
      .meta({ positional: true, target: 'alertmanager' }),
    matchers: z
      .array(z.string().max(200))
      .min(1)
      .max(20)
      .describe('Which alerts.')
      .meta({ positional: true, itemsMayContainCommas: true }),
  }),
  run: () => Promise.resolve(undefined),
});

const inventoryOf = (...names: string[]): Inventory => ({
  regions: {},
  instances: {},
  containers: {},
  targets: { alertmanager: Object.fromEntries(names.map((name) => [name, { labels: {}, settings: {} }])) },
});

/** The target and the matchers that a typed line means. */
function read(line: string, ...names: string[]) {
  const inventory = inventoryOf(...names);
  const registry = followExtensions([silence], () => ({ extensions: [], inventory }));
  const { target, values } = resolveTyped(registry, inventory, 'am', line);
  return [target.name, values['matchers']];
}

describe('an optional field that names the target', () => {
  it('may be missing if bellhop.yaml lists one target of the kind', () => {
    expect(read('silence HighLatency job=api', 'main')).toEqual(['main', ['HighLatency', 'job=api']]);
  });

  it('takes the first word if that is a target', () => {
    expect(read('silence main HighLatency', 'main')).toEqual(['main', ['HighLatency']]);
    expect(read('silence us main', 'eu', 'us')).toEqual(['us', ['main']]);
    expect(read('silence HighLatency --alertmanager us', 'eu', 'us')).toEqual(['us', ['HighLatency']]);
  });

  it('must be named among several targets', () => {
    expect(() => read('silence HighLatency', 'eu', 'us')).toThrow('Enter the alertmanager: eu, us.');
  });

  it('is the target if only its name is typed, and a form takes the rest', () => {
    const inventory = inventoryOf('main');
    const registry = followExtensions([silence], () => ({ extensions: [], inventory }));
    expect(parse(registry, 'am', 'silence main')).toMatchObject({
      kind: 'form',
      values: { alertmanager: 'main' },
    });
  });
});
