/* Fields as people write them for argparse, click, typer and oclif, and for the actions of GitHub and StackStorm 3.8. */
import { z } from '../../../../src/bellhop/bellhop.ts';

const field = <S extends z.ZodType>(schema: S) => schema.describe('A field.');

export const entered = {
  'a list of integers': [
    field(z.array(z.int().max(65_535)).max(20)),
    '--ports 80,443 --ports 8080',
    [80, 443, 8080],
  ],
  'a list of numbers, one of them negative': [
    field(z.array(z.number().max(10)).max(20)),
    '--ports=-1.5,2',
    [-1.5, 2],
  ],
  'a union of literals': [field(z.union([z.literal(1), z.literal(5), z.literal('all')])), '--ports 5', 5],
  'the text of a union of literals': [field(z.union([z.literal(1), z.literal('all')])), '--ports all', 'all'],
  'literals of several values': [field(z.literal([1, 2, 3])), '--ports 3', 3],
  'a numeric enum': [field(z.enum({ low: 1, high: 9 })), '--ports 9', 9],
  'a list of numeric choices': [field(z.array(z.literal([1, 2, 3])).max(3)), '--ports 3,1', [3, 1]],
  'a number or a word': [field(z.union([z.int().max(100), z.literal('all')])), '--ports 50', 50],
  'a flag or a word': [field(z.union([z.boolean(), z.literal('auto')])), '--ports false', false],
  'digits that are text': [field(z.string().max(10)), '--ports 007', '007'],
  'a negative integer by its place': [field(z.int().min(-10).max(10)).meta({ positional: true }), '-5', -5],
  'a negative number of two digits by its place': [
    field(z.number().min(-100).max(10)).meta({ positional: true }),
    '-15.5',
    -15.5,
  ],
  'negative numbers in a list by their place': [
    field(z.array(z.int().max(9)).max(9)).meta({ positional: true }),
    '-5 3 -12',
    [-5, 3, -12],
  ],
} as const;

export const refused = {
  'an object': field(z.object({ a: z.int().max(3) })),
  'a list of lists': field(z.array(z.array(z.int().max(3)).max(2)).max(2)),
  'a number or a list': field(z.union([z.int().max(3), z.array(z.int().max(3)).max(3)])),
  'a row with a list': field(z.array(z.object({ a: z.array(z.int().max(3)).max(3) })).max(3)),
  'a number with a fallback': field(z.int().max(5).catch(1)),
  'an empty choice': field(z.enum(['', 'a'])),
  'a list of objects or numbers': field(
    z.array(z.union([z.int().max(3), z.object({ a: z.int().max(3) })])).max(2),
  ),
} as const;

export const names = [
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'each',
  'pause',
  'reason',
  '__proto__',
] as const;
