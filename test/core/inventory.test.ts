import { describe, expect, it } from 'vitest';

import { BellhopError } from '../../src/core/errors.ts';
import { findContainer, findInstance, findProject, type Inventory } from '../../src/core/inventory.ts';
import { targetKey } from '../../src/core/target.ts';
import { inventory } from './sample-catalogue.ts';

const web = {
  kind: 'instance',
  name: 'web-1',
  project: 1186668,
  region: 76,
  regionName: 'Luxembourg-2',
  id: '6c6aa80f-7836-4dc2-a2ae-125e248be476',
  labels: { env: 'staging', tier: 'web' },
};
const nowhere: Inventory = { regions: {}, instances: {}, containers: {} };

describe('an instance', () => {
  it('is found by name, with the defaults', () => {
    expect(findInstance(inventory, 'web-1')).toEqual(web);
  });

  it('keeps its own region', () => {
    expect(findInstance(inventory, 'db-1', { region: 180 })).toMatchObject({
      region: 180,
      regionName: 'Frankfurt-2',
    });
  });

  it('goes where it is told to where it names no region of its own', () => {
    expect(findInstance(inventory, 'web-1', { region: 9, project: 5 })).toEqual({
      ...web,
      project: 5,
      region: 9,
      regionName: undefined,
    });
  });

  it.each([
    '1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476',
    '01186668/076/6C6AA80F-7836-4DC2-A2AE-125E248BE476',
  ])('keeps its name, labels and key when spelled out as %s', (spelled) => {
    expect(findInstance(inventory, spelled)).toEqual(web);
    expect(targetKey(findInstance(inventory, spelled))).toBe(targetKey(findInstance(inventory, 'web-1')));
  });

  it('keeps its labels in a project that is not its own: no way round a rule on labels', () => {
    expect(findInstance(inventory, '1/2/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a11').labels).toEqual({
      env: 'production',
      tier: 'db',
    });
  });

  it('that is not listed has no labels and its id for a name', () => {
    expect(findInstance(inventory, '1/180/abc-9')).toEqual({
      kind: 'instance',
      name: 'abc-9',
      project: 1,
      region: 180,
      regionName: 'Frankfurt-2',
      id: 'abc-9',
      labels: {},
    });
  });

  it('never changes with the inventory that it came from', () => {
    const labels = { env: 'staging' };
    const found = findInstance({ ...inventory, instances: { 'web-1': { id: 'x', labels } } }, 'web-1');
    labels.env = 'production';
    expect(found.labels).toEqual({ env: 'staging' });
  });

  it.each([
    '1/2',
    '1/2/',
    '1/2/..',
    '1/2/a/b',
    '1/2/-a',
    '1/2/a b',
    '-1/2/a',
    '1.5/2/a',
    '1/2/%2e',
    '9'.repeat(16) + '/2/a',
    'toString',
    '',
  ])('is not found as “%s”', (typed) => {
    expect(() => findInstance(inventory, typed)).toThrow(BellhopError);
  });
});

describe('a container and a project', () => {
  it('are found under the defaults, listed or not', () => {
    expect(findContainer(inventory, 'api')).toMatchObject({
      name: 'api',
      region: 76,
      labels: { env: 'production' },
    });
    expect(findContainer(inventory, 'other', { region: 180 })).toMatchObject({ region: 180, labels: {} });
    expect(findProject(inventory)).toMatchObject({ name: 'project 1186668, region 76', labels: {} });
  });

  it('need a project and a region', () => {
    expect(() => findProject(nowhere)).toThrowErrorMatchingInlineSnapshot(
      `[BellhopError: No project is known. Add --project <number>, or set “project:” in bellhop.yaml. Nothing was done.]`,
    );
    expect(() => findContainer(nowhere, 'api', { project: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[BellhopError: No region is known. Add --region <number>, or set “region:” in bellhop.yaml. Nothing was done.]`,
    );
  });
});

describe('the key of a target', () => {
  it('is one for each thing', () => {
    const labels = {};
    const at = { project: 1, region: 2, labels };
    const keys = [
      targetKey({ kind: 'instance', name: 'a', id: 'X', ...at }),
      targetKey({ kind: 'container', name: 'a', ...at }),
      targetKey({ kind: 'project', name: 'a', ...at }),
      targetKey({ kind: 'bucket', name: 'a', storage: 's/b', bucket: 'c', labels }),
      targetKey({ kind: 'bucket', name: 'a', storage: 's', bucket: 'b/c', labels }),
      targetKey({ kind: 'cdn', name: 'CDN account', labels }),
      targetKey({ kind: 'bellhop', name: 'Bellhop', labels }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys[0]).toBe('instance:1/2/x');
  });
});
