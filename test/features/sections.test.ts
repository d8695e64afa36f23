import { expect, it, vi } from 'vitest';

import { rulebookFile } from '../../src/config/rulebook/rulebook-file.ts';
import { sections } from '../../src/features/index.ts';
import { mistakesIn } from '../config/rulebook/mistakes-in.ts';

it('the keys of a section come right after the key that it names', () => {
  const keys = Object.keys(rulebookFile.shape);
  const own = new Set(sections.flatMap((section) => Object.keys(section.keys)));
  for (const section of sections.filter(({ within }) => within === 'file')) {
    const [first = ''] = Object.keys(section.keys);
    const before = keys.slice(0, keys.indexOf(first)).findLast((key) => !own.has(key));
    expect([first, before]).toEqual([first, section.after]);
  }
});

it('a section is checked against the names of the file: regions, instances, containers and targets', () => {
  const [section] = sections;
  if (!section) return;
  const mistakes = vi.spyOn(section, 'mistakes').mockReturnValue([]);
  const file = `
regions: { 76: Luxembourg-2, 80: 5 }
instances: { web-1: { id: six, labels: { env: staging } } }
containers: { api: { labels: { env: production } } }
targets: { queue: { mail: { labels: { env: staging } } } }
`;
  expect(mistakesIn(file)).toEqual([expect.stringContaining('regions.80')]);
  expect(mistakes.mock.lastCall?.[0].inventory).toMatchObject({
    regions: { 76: 'Luxembourg-2' },
    instances: { 'web-1': { labels: { env: 'staging' } } },
    containers: { api: { labels: { env: 'production' } } },
    targets: { queue: { mail: { labels: { env: 'staging' } } } },
  });
  mistakes.mockRestore();
});
