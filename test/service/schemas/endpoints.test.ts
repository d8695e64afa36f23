import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cloudCall } from '../../../src/areas/cloud/client/endpoints.ts';

const pathOf = (id: string, project = 1): string =>
  cloudCall('readInstance', { project, region: 2, id }).path;

describe('a path', () => {
  test.each([
    ['6c6aa80f-7836', '6c6aa80f-7836'],
    ['a/b', 'a%2Fb'],
    ['50%', '50%25'],
    ['a?b#c', 'a%3Fb%23c'],
    ['ä 💥', '%C3%A4%20%F0%9F%92%A5'],
    ['..a', '..a'],
  ])('keeps %j in one segment', (id, segment) => {
    expect(pathOf(id)).toBe(`/cloud/v1/instances/1/2/${segment}`);
  });

  test.each(['.', '..', '../x', 'x/..', String.raw`x\..\y`, '%2e%2E', 'x%2f..', 'a/./b', '', '  ', '\uD800'])(
    'is not made with %j',
    (id) => {
      expect(() => pathOf(id)).toThrow(/^id .*Nothing was sent\.$/);
    },
  );

  test.each([-1, 1.5, Number.NaN, 2 ** 53])('is not made with the project %d', (project) => {
    expect(() => pathOf('x', project)).toThrow(/^project takes a whole number/);
  });

  test('never changes by what is put into it', () => {
    assert(
      property(string({ unit: 'binary' }), (id) => {
        let made: string;
        try {
          made = pathOf(id);
        } catch {
          return;
        }
        const { pathname, search, hash } = new URL(made, 'http://host');
        expect([pathname, search, hash]).toEqual([made, '', '']);
        expect(decodeURIComponent(made.split('/').slice(6).join('/'))).toBe(id);
        expect(made.split('/')).toHaveLength(7);
      }),
      { numRuns: 2_000 },
    );
  });
});
