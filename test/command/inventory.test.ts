import { describe, expect, it } from 'vitest';

import { BellhopError } from '../../src/model/values/errors.ts';
import { findContainer, findInstance, targetOfArea } from '../../src/command/inventory.ts';
import { type Inventory, targetKey } from '../../src/model/rulebook/target.ts';
import { inventory } from '../run/sample-registry.ts';

const web = {
  kind: 'instance',
  name: 'web-1',
  project: 1186668,
  region: 76,
  regionName: 'Luxembourg-2',
  id: '6c6aa80f-7836-4dc2-a2ae-125e248be476',
  labels: { env: 'staging', tier: 'web' },
};
const nowhere: Inventory = { regions: {}, instances: {}, containers: {}, targets: {} };

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

  it('uses the given place only if the inventory does not set one', () => {
    const open = { ...inventory, project: undefined, region: undefined };
    expect(findInstance(open, 'web-1', { region: 9, project: 5 })).toMatchObject({ project: 5, region: 9 });
    expect(findInstance(open, `5/9/${web.id}`)).toMatchObject({ name: 'web-1', project: 5, region: 9 });
  });

  it.each([
    '1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476',
    '01186668/076/6C6AA80F-7836-4DC2-A2AE-125E248BE476',
    '1186668/76/6c6aa80f78364dc2a2ae125e248be476',
    '1186668/76/6C6AA80F78364DC2A2AE125E248BE476',
    '1186668/76/6c6aa80f-78364dc2a2ae125e-248be476',
  ])('keeps its name, labels and key when spelled out as %s', (spelled) => {
    expect(findInstance(inventory, spelled)).toEqual(web);
    expect(targetKey(findInstance(inventory, spelled))).toBe(targetKey(findInstance(inventory, 'web-1')));
  });

  it.each<[typed: string, where: { project?: number; region?: number }, says: string]>([
    ['web-1', { region: 180 }, '“web-1” is in region 76, not 180. Remove --region.'],
    ['web-1', { project: 5 }, '“web-1” is in project 1186668, not 5. Remove --project.'],
    ['db-1', { region: 76 }, '“db-1” is in region 180, not 76. Remove --region.'],
    [
      '1186668/76/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a11',
      {},
      'That is the id of “db-1”, which is in region 180, not 76. Type db-1 instead.',
    ],
    [
      '1/180/0D9C0A3A52A54A1B8F0E0D5F4C1B7A11',
      {},
      'That is the id of “db-1”, which is in project 1186668, not 1. Type db-1 instead.',
    ],
    ['1186668/76/web-1', {}, '“web-1” is an inventory name, not an id. Type web-1 instead.'],
  ])('that is said to be where it is not is refused at once: %s %j', (typed, where, says) => {
    expect(() => findInstance(inventory, typed, where)).toThrow(says);
  });

  it('whose id is not a UUID is found by that id only', () => {
    const instances = { odd: { id: 'vm-a-1', labels: { env: 'production' } } };
    expect(findInstance({ ...inventory, instances }, '1186668/76/VM-A-1')).toMatchObject({
      name: 'odd',
      id: 'vm-a-1',
    });
    expect(() => findInstance({ ...inventory, instances }, '1186668/76/vma1')).toThrow(
      "“vma1” is not an instance id, which is a UUID. Copy it from the provider's console.",
    );
  });

  it('that is not listed has no labels and its id for a name', () => {
    const id = '0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99';
    expect(findInstance(inventory, `1/180/${id}`)).toEqual({
      kind: 'instance',
      name: id,
      project: 1,
      region: 180,
      regionName: 'Frankfurt-2',
      id,
      unlisted: true,
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
    '1186668/76/6с6aa80f-7836-4dc2-a2ae-125e248be476',
    '1186668/76/6c6aa80f‐7836‐4dc2‐a2ae‐125e248be476',
    '1186668/76/６c6aa80f-7836-4dc2-a2ae-125e248be476',
    '１１８６６６８/76/6c6aa80f-7836-4dc2-a2ae-125e248be476',
    '1186668∕76∕6c6aa80f-7836-4dc2-a2ae-125e248be476',
    'wеb-1',
    'web‑1',
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
    expect(targetOfArea(inventory, 'cloud', {})).toMatchObject({
      name: 'project 1186668, region 76',
      labels: {},
    });
  });

  it('need a project and a region', () => {
    expect(() => targetOfArea(nowhere, 'cloud', {})).toThrowErrorMatchingInlineSnapshot(
      `[BellhopError: No project is given. Add --project <number>, or set “project:” in bellhop.yaml.]`,
    );
    expect(() => findContainer(nowhere, 'api', { project: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[BellhopError: No region is given. Add --region <number>, or set “region:” in bellhop.yaml.]`,
    );
  });
});

const at = (id: string): string => targetKey(findInstance(inventory, `1/2/${id}`));

describe('the key of a target', () => {
  it('is one for each thing', () => {
    const labels = {};
    const there = { project: 1, region: 2, labels };
    const keys = [
      targetKey({ kind: 'instance', name: 'a', id: 'X', ...there }),
      targetKey({ kind: 'container', name: 'a', ...there }),
      targetKey({ kind: 'project', name: 'a', ...there }),
      targetKey({ kind: 'bucket', name: 'a', storage: 's/b', bucket: 'c', labels }),
      targetKey({ kind: 'bucket', name: 'a', storage: 's', bucket: 'b/c', labels }),
      targetKey({ kind: 'cdn', name: 'CDN account', labels }),
      targetKey({ kind: 'bellhop', name: 'Bellhop', labels }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys[0]).toBe('instance:1/2/x');
  });

  it('is one for every spelling of an id, listed or not', () => {
    const id = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
    expect(at(id)).toBe(`instance:1/2/${id}`);
    expect(at(id.replaceAll('-', ''))).toBe(at(id));
    expect(at(id.toUpperCase())).toBe(at(id));
  });
});
