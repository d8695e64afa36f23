import { assert, constantFrom, dictionary, jsonValue, letrec, oneof, array, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { capacityListRead } from '../../../src/areas/cdn/client/capacity.ts';
import { containerRead } from '../../../src/areas/cloud/client/container.ts';
import { floatingIpListRead } from '../../../src/areas/cloud/client/floating-ip.ts';
import { instanceListRead, instanceRead } from '../../../src/areas/cloud/client/instance.ts';
import { lenient } from '../../../src/service/schemas/lenient.ts';
import { metricsResultRead } from '../../../src/areas/cdn/client/metrics.ts';
import { rawLogSettingsReplyRead } from '../../../src/areas/cdn/client/raw-logs.ts';
import {
  storageConfiguratorRead,
  storageEventsRead,
} from '../../../src/areas/storage/client/storage-event.ts';

const thing = lenient(
  z.strictObject({
    name: z.string().min(1),
    kind: z.enum(['a', 'b']),
    size: z.int(),
    ratio: z.number(),
    on: z.boolean(),
    when: z.iso.datetime(),
    maybe: z.string().nullable(),
    inner: z.strictObject({ size: z.int() }),
    list: z.array(z.strictObject({ size: z.int() })),
    words: z.array(z.string()),
    map: z.record(z.string(), z.string()),
    any: z.unknown(),
  }),
);

describe('reading leniently', () => {
  it('takes null, "" and a missing field alike, in every kind of field', () => {
    const fields = [
      'name',
      'kind',
      'size',
      'ratio',
      'on',
      'when',
      'maybe',
      'inner',
      'list',
      'words',
      'map',
    ] as const;
    for (const empty of [null, '']) {
      const json = Object.fromEntries(fields.map((field) => [field, empty]));
      const { value, problems } = thing.read(json);
      expect(problems).toEqual([]);
      expect(fields.map((field) => value[field])).toEqual(fields.map(() => undefined));
    }
    expect(thing.read({})).toEqual({ value: {}, problems: [] });
  });

  it('keeps unknown fields as they are, at any depth', () => {
    const json = { extra: null, inner: { size: 1, more: '' }, list: [{ size: 2, more: { deep: [null] } }] };
    expect(thing.read(json)).toEqual({ value: json, problems: [] });
  });

  it('takes values that are not listed, and forms that are not those of the interface', () => {
    const json = { kind: 'new', when: 'yesterday' };
    expect(thing.read(json)).toEqual({ value: json, problems: [] });
  });

  it('reads a number that is written as text, and rounds only what is measured', () => {
    const json = { size: '7', ratio: ' 0.5 ', list: [{ size: '1e3' }] };
    expect(thing.read(json)).toEqual({
      value: { size: 7, ratio: 0.5, list: [{ size: 1000 }] },
      problems: [],
    });
    expect(thing.read({ ratio: 9007199254740993n, size: 9007199254740993n })).toEqual({
      value: { ratio: 9007199254740992 },
      problems: ['size: expected integer'],
    });
  });

  it('reads empty values of a map as undefined and keeps their names', () => {
    const { value, problems } = thing.read({ map: { a: '', b: null, c: 'x' } });
    expect([Object.entries(value.map ?? {}), problems]).toEqual([
      [
        ['a', undefined],
        ['b', undefined],
        ['c', 'x'],
      ],
      [],
    ]);
  });

  it('does not alter what it reads', () => {
    const json = { name: '', list: [{ size: 'x' }, { size: 1 }], inner: { size: null } };
    const before = structuredClone(json);
    thing.read(json);
    expect(json).toEqual(before);
  });
});

describe('what does not fit', () => {
  it.each([
    [{ name: 7 }, 'name: expected string'],
    [{ kind: {} }, 'kind: expected string'],
    [{ size: '7 GB' }, 'size: expected integer'],
    [{ size: '9007199254740993' }, 'size: expected integer'],
    [{ size: 1.5 }, 'size: expected integer'],
    [{ ratio: 'half' }, 'ratio: expected number'],
    [{ on: 1 }, 'on: expected boolean'],
    [{ inner: [] }, 'inner: expected object'],
    [{ inner: { size: true } }, 'inner.size: expected integer'],
    [{ list: {} }, 'list: expected array'],
    [{ list: [{ size: 1 }, { size: 'x' }] }, 'list[1].size: expected integer'],
    [{ list: [null] }, 'list[0]: expected object'],
    [{ words: ['a', 1] }, 'words[1]: expected string'],
    [{ map: { a: 1 } }, 'map.a: expected string'],
  ])('%j is named: %s', (json, problem) => {
    const { value, problems } = thing.read({ ...json, maybe: 'still here' });
    expect(problems).toEqual([problem]);
    expect(value.maybe).toBe('still here');
  });

  it('is omitted, and nothing else is: fields of objects, items of arrays', () => {
    const json = {
      name: 'x',
      size: 'big',
      list: ['a', { size: 1 }, 2, { size: 'x', more: 1 }, { size: 3 }],
      words: [1, 'w', 2],
    };
    expect(thing.read(json)).toEqual({
      value: { name: 'x', list: [{ size: 1 }, { more: 1 }, { size: 3 }], words: ['w'] },
      problems: [
        'size: expected integer',
        'list[0]: expected object',
        'list[2]: expected object',
        'list[3].size: expected integer',
        'words[0]: expected string',
        'words[2]: expected string',
      ],
    });
  });

  it.each([
    [thing, 'text', 'expected object', {}],
    [thing, [], 'expected object', {}],
    [thing, null, 'expected object', {}],
    [capacityListRead, {}, 'expected array', []],
    [capacityListRead, undefined, 'expected array', []],
  ] as const)('as a whole reads as nothing', (schema, json, problem, value) => {
    expect(schema.read(json)).toEqual({ value, problems: [problem] });
  });

  it('is listed a hundred times at most, and then counted', () => {
    const { value, problems } = thing.read({ words: Array.from({ length: 250 }, () => 1) });
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe('and 150 more');
    expect(value.words).toEqual([]);
  });
});

const schemas = {
  capacityListRead,
  containerRead,
  floatingIpListRead,
  instanceListRead,
  instanceRead,
  metricsResultRead,
  rawLogSettingsReplyRead,
  storageConfiguratorRead,
  storageEventsRead,
};

const knownNames = `count results flavor ram tags key addresses volumes ip_address data timestamp
  edge_status_2xx edge_download_speed 4M+ cname deploy_status ready envs example structure reaching_used_space bytes
  folders enabled archive_size_mb`.split(/\s+/);

/** JSON of any shape that uses the names of the interface often enough to get deep into its schemas. */
const { reply: replies } = letrec((tie) => ({
  reply: oneof(
    { maxDepth: 6, withCrossShrink: true },
    jsonValue({ maxDepth: 1 }),
    array(tie('reply'), { maxLength: 3 }),
    dictionary(constantFrom(...knownNames), tie('reply')),
  ),
}));

describe('the resources of the interface', () => {
  it.each(Object.entries(schemas))(
    '%s reads any JSON without throwing, and what it gives reads again',
    (_name, schema) => {
      assert(
        property(replies, (json) => {
          const { value, problems } = schema.read(json);
          expect(schema.read(value)).toEqual({ value, problems: [] });
          expect(problems.every((problem) => problem.includes('expected'))).toBe(true);
        }),
        { numRuns: 300 },
      );
    },
  );

  it('name the field of an instance in a list', () => {
    const { value, problems } = instanceListRead.read({
      count: 1,
      results: [{ id: 'i', status: 'NEW_STATE', task_state: null, flavor: { ram: 'much', vcpus: 2 } }],
    });
    expect(problems).toEqual(['results[0].flavor.ram: expected integer']);
    expect(value.results?.[0]).toEqual({
      id: 'i',
      status: 'NEW_STATE',
      task_state: undefined,
      flavor: { vcpus: 2 },
    });
  });

  it('keep metrics that are not known', () => {
    const json = {
      data: [{ timestamp: 1, edge_new: 5, edge_status_2xx: 'x', edge_odd: { fast: '1' }, edge_bad: [] }],
    };
    const { value, problems } = metricsResultRead.read(json);
    expect(value.data).toEqual([{ timestamp: 1, edge_new: 5, edge_odd: { fast: 1 } }]);
    expect(problems).toEqual([
      'data[0].edge_status_2xx: expected integer',
      'data[0].edge_bad: expected number or object',
    ]);
  });

  it('are safe from a field named __proto__', () => {
    const json: unknown = JSON.parse(
      '{"results":[{"__proto__":{"polluted":1},"id":""}],"__proto__":{"count":5}}',
    );
    const { value } = instanceListRead.read(json);
    expect(value.count).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

it('the lenient reading refuses a kind of schema that it has no rule for', () => {
  expect(() => lenient(z.date()).read('2026-01-01')).toThrow('no rule for a schema of type date');
});
