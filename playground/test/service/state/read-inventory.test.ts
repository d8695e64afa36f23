import { describe, expect, it } from 'vitest';
import { defaultInventory } from '../../../service/state/inventory.ts';
import { parseInventory, readInventory } from '../../../service/state/read-inventory.ts';

const sample = `
project: 1186668                      # defaults; a target may name its own
region: 76
regions: { 76: Luxembourg-2, 180: Frankfurt-2 }
instances:
  web-1: { id: 6c6aa80f, labels: { env: staging, replicas: 2 } }
  db-1: { id: 0d9c0a3a, project: 7, region: 180 }
containers:
  api: { labels: { env: production } }
  plain:
roles: { anything: [the, bot, judges] }
rules: [{ risk: read }]
`;

describe('an inventory from bellhop.yaml', () => {
  it('has instances and containers with the defaults of the file', () => {
    const labels = { env: 'staging', replicas: '2' };
    const luxembourg = { project: 1186668, region: 76, regionName: 'Luxembourg-2' };
    expect(parseInventory(sample)).toEqual({
      instances: {
        'web-1': { id: '6c6aa80f', ...luxembourg, labels },
        'db-1': { id: '0d9c0a3a', project: 7, region: 180, regionName: 'Frankfurt-2', labels: undefined },
      },
      containers: {
        api: { ...luxembourg, labels: { env: 'production' } },
        plain: { ...luxembourg, labels: undefined },
      },
    });
  });

  it.each(['', '# nothing\n', 'instances:\ncontainers:\n', 'roles: {}'])('may be empty: %j', (text) => {
    expect(parseInventory(text)).toEqual({ instances: {}, containers: {} });
  });

  it.each(['instances: [a]', 'instances: { web: { id: 7 } }', 'project: x', 'a: [', '- 1'])(
    'that is invalid is rejected: %s',
    (text) => {
      expect(() => parseInventory(text)).toThrow(/./);
    },
  );

  it('is the built-in one if there is no file, and names a file that cannot be read', () => {
    expect(readInventory(undefined)).toBe(defaultInventory);
    expect(() => readInventory('/nowhere/bellhop.yaml')).toThrow('/nowhere/bellhop.yaml cannot be read');
  });
});
