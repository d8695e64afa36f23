import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type * as declared from 'bellhop';
import { describe, expect, it } from 'vitest';

import { areas } from '../../src/areas/index.ts';
import * as module from '../../src/bellhop/bellhop.ts';
import { mistakesOf } from '../../src/config/own/check-operation.ts';

const text = readFileSync(join(import.meta.dirname, '../../src/bellhop/surface.d.ts'), 'utf8');
const unique = (pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();

it('the surface is what the types say, and nothing else', () => {
  // Checked by the compiler: whatever these take and give, the module takes and gives.
  const surface: typeof declared = module;
  expect(Object.keys(surface).toSorted()).toEqual(
    ['z', ...unique(/^ {2}export (?:function|const) (\w+)/gmu)].toSorted(),
  );
});

/**
 * Members that only an area of the service may have: its extensions, and whether it knows an instance that bellhop.yaml
 * does not list.
 */
const ofTheService: ReadonlySet<string> = new Set(['extension', 'instead', 'isKnown', 'looksWith']);

describe.each(areas.flatMap(({ operations }) => operations).map((one) => [one.name, one] as const))(
  'the built-in /%s',
  (_, one) => {
    it('has no member that an operation of your own could not have', () => {
      const [, body = ''] = /export interface Declaration<[^{]*\{\n(.*?)\n {2}\}/su.exec(text) ?? [];
      const members = [...body.matchAll(/^ {4}(?:readonly )?(\w+)\??[(<:]/gmu)].map(([, name]) => name);
      expect(members).toContain('run');
      expect(Object.keys(one).filter((name) => !members.includes(name) && !ofTheService.has(name))).toEqual(
        [],
      );
    });

    it('passes the checks of an operation of your own', () => {
      const known = {
        areas: new Map<string, string>(),
        names: new Set<string>(),
        kinds: ['instance', 'container'],
      };
      expect(mistakesOf(one, known)).toEqual([]);
    });
  },
);
