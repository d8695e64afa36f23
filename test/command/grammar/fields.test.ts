import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { fieldsOf } from '../../../src/command/grammar/registry.ts';
import type { Field } from '../../../src/model/registry.ts';

const only = (part: z.ZodType): Field => {
  const [field] = fieldsOf(z.object({ field: part }));
  if (!field) throw new Error('no field');
  return field;
};

describe('a field', () => {
  it.each<[name: string, part: z.ZodType, said: Partial<Field>]>([
    ['text', z.string(), { kind: 'text', required: true }],
    ['trimmed, checked text', z.string().trim().min(1).regex(/x/u), { kind: 'text', required: true }],
    ['optional text', z.string().optional(), { kind: 'text', required: false }],
    ['nullable text', z.string().nullable(), { kind: 'text', required: false }],
    [
      'text that is transformed',
      z.string().transform((text) => text.length),
      { kind: 'text', required: true },
    ],
    ['text that is piped', z.string().pipe(z.string().max(3)).optional(), { kind: 'text', required: false }],
    ['an integer', z.number().int(), { kind: 'integer' }],
    ['an integer of its own type', z.int(), { kind: 'integer' }],
    ['a number', z.number(), { kind: 'number' }],
    ['a flag', z.boolean(), { kind: 'flag', required: true }],
    ['a flag with a default', z.boolean().default(true), { kind: 'flag', required: false, fallback: true }],
    ['a choice', z.enum(['a', 'b']), { kind: 'choice', choices: ['a', 'b'] }],
    [
      'a choice with a default',
      z.enum(['a', 'b']).default('b'),
      { kind: 'choice', fallback: 'b', required: false },
    ],
    ['texts', z.array(z.string()), { kind: 'texts', choices: [] }],
    [
      'texts with a default',
      z.array(z.string()).default([]),
      { kind: 'texts', required: false, fallback: [] },
    ],
    ['choices', z.array(z.enum(['a', 'b'])).max(2), { kind: 'choices', choices: ['a', 'b'] }],
    [
      'an optional integer behind a default',
      z.int().default(5).optional(),
      { kind: 'integer', fallback: 5, required: false },
    ],
  ])('is %s', (_, part, said) => {
    expect(only(part)).toMatchObject(said);
  });

  it('is rows of fields', () => {
    const rows = only(
      z.array(z.object({ cdnResource: z.int().describe('A resource.'), folder: z.string().optional() })),
    );
    expect(rows).toMatchObject({ kind: 'rows', required: true });
    expect(rows.columns).toMatchObject([
      {
        name: 'cdnResource',
        option: 'cdn-resource',
        kind: 'integer',
        required: true,
        description: 'A resource.',
      },
      { name: 'folder', kind: 'text', required: false },
    ]);
  });

  it('is named as it is typed and read', () => {
    const fields = fieldsOf(
      z.object({ clientId: z.string(), s3_secret_key: z.string(), ftp: z.string().meta({ label: 'FTP' }) }),
    );
    expect(fields.map(({ name, option, label }) => [name, option, label])).toEqual([
      ['clientId', 'client-id', 'Client id'],
      ['s3_secret_key', 's3-secret-key', 'S3 secret key'],
      ['ftp', 'ftp', 'FTP'],
    ]);
  });

  it('keeps what its schema says, on either side of optional, the outermost last', () => {
    const said = {
      positional: true,
      placeholder: 'web-1',
      secret: true,
      multiline: true,
      itemsMayContainCommas: true,
    };
    expect(only(z.string().describe('inner').meta(said).optional())).toMatchObject({
      ...said,
      description: 'inner',
    });
    expect(only(z.string().optional().describe('outer').meta(said))).toMatchObject({
      ...said,
      description: 'outer',
    });
    expect(only(z.string().describe('inner').optional().describe('outer'))).toMatchObject({
      description: 'outer',
    });
  });
});
