import { describe, expect, it } from 'vitest';

import { boundFacts, boundReport } from '../../../src/config/own/bound-report.ts';

const circle: Record<string, unknown> = { title: 'A circle' };
circle['facts'] = [circle];
circle['tables'] = [{ caption: circle, columns: [], rows: [[circle, undefined, Number.NaN, { at: 1 }]] }];

describe('the report of your own operation', () => {
  it('is cut if it is too long, and says so', () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => [`line ${index}`, index]);
    const report = boundReport({
      title: 'T'.repeat(10_000),
      tables: [{ caption: 'All', columns: [{ label: 'a' }, 'b'], rows }],
    });
    expect(report.title).toHaveLength(300);
    expect(report.tables?.[0]?.rows).toHaveLength(1000);
    expect(report.notes).toEqual(['Only the first 1000 of 100000 rows are shown.']);
  });

  it('is cut by the length of its cells, too', () => {
    const rows = Array.from({ length: 1000 }, () => ['x'.repeat(10_000), 'y'.repeat(10_000)]);
    const report = boundReport({ title: 'Wide', tables: [{ caption: '', columns: ['a', 'b'], rows }] });
    expect(JSON.stringify(report).length).toBeLessThan(500_000);
  });

  it('may contain circular references and values other than text', () => {
    expect(boundReport(circle)).toMatchObject({
      title: 'A circle',
      facts: [{ label: '', value: '' }],
      tables: [{ caption: '[object]', columns: [], rows: [['[object]', '', 'too large', { at: 1 }]] }],
    });
  });

  it.each<[what: string, part: object]>([
    ['a promise', { tables: [{ caption: '', columns: ['a'], rows: Promise.resolve([[1]]) }] }],
    ['an iterator', { tables: [{ caption: '', columns: ['a'], rows: new Map([[1, 2]]).entries() }] }],
    ['an object', { facts: { state: 'up' } }],
    ['text', { notes: 'Careful.' }],
    ['rows of objects', { tables: [{ caption: '', columns: ['a'], rows: [{ a: 1 }] }] }],
    ['facts of text', { facts: ['State: up'] }],
  ])('is rejected if %s in place of a list would be shown as nothing', (_, part) => {
    expect(() => boundReport({ title: 'Hosts', ...part })).toThrow(/must be an (?:array|object)/u);
  });

  it.each([undefined, null, 'text', {}, { title: '' }])('is rejected: %j', (value) => {
    expect(() => boundReport(value)).toThrow('report must return { title }');
  });
});

describe('the preview of your own operation', () => {
  it('is kept as it is, within bounds', () => {
    expect(boundFacts([{ label: 'Query', value: 'select 1', more: 'x' }])).toEqual([
      { label: 'Query', value: 'select 1' },
    ]);
    expect(boundFacts(Array.from({ length: 1000 }, () => ({ label: 'a', value: 'b' })))).toHaveLength(50);
    expect(() => boundFacts('text')).toThrow('preview must return a list');
  });

  it.each(['text', ['SQL', 'drop table orders']])(
    'is refused if a line of it would be dropped: %j',
    (line) => {
      expect(() => boundFacts([{ label: 'Query', value: 'select 1' }, line])).toThrow('must be an object');
    },
  );

  it('keeps the data of a fact whole, or refuses it', () => {
    const facts = [{ label: 'Sends', value: 'PUT /a', isCall: true, data: 'd'.repeat(3000) }];
    expect(boundFacts(facts)).toEqual(facts);
    for (const data of ['d'.repeat(3001), 7, null])
      expect(() => boundFacts([{ label: 'a', value: 'b', data }])).toThrow('the data of a fact must be text');
  });
});
