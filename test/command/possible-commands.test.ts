import { expect, it } from 'vitest';

import { possibleCommands } from '../../src/command/possible-commands.ts';
import { createRegistry } from '../../src/command/grammar/registry.ts';
import { operations } from '../../src/operations/index.ts';

const labelsOf = (number: number): Record<string, string> => ({ tier: number % 2 === 0 ? 'web' : 'db' });

it('a hold is tried on one target for each set of labels, however many targets there are', () => {
  const instances = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, number) => [
      `web-${number}`,
      { id: `id-${number}`, project: 1, region: 1, labels: labelsOf(number) },
    ]),
  );
  const inventory = { regions: {}, instances, containers: {}, targets: {} };
  const holds = possibleCommands(createRegistry(operations, []), inventory).filter(
    ({ entry }) => entry.operation.name === 'bellhop.hold',
  );
  const tried = new Set(holds.map(({ target }) => target.labels['tier']));
  expect(tried).toEqual(new Set(['db', 'web']));
  expect(holds.length).toBeLessThan(10);
});
