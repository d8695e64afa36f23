import { describe, expect, it } from 'vitest';

import { targetsIn } from '../../src/run/from-message.ts';
import { inventory } from './sample-registry.ts';

const names = (text: string) => targetsIn(text, inventory).map(({ name }) => name);
const unlisted = '11111111-2222-4333-8444-555555555555';

describe('the targets that a text names', () => {
  it.each<[text: string, named: string[]]>([
    ['web-1 hangs, and so does db-1.', ['web-1', 'db-1']],
    ['[FIRING] instance="web-1:9100" container=api', ['web-1', 'api']],
    ['db-1 db-1 db-1', ['db-1']],
    ['look at 6c6aa80f-7836-4dc2-a2ae-125e248be476!', ['web-1']],
    ['https://console.example/1186668/76/6C6AA80F78364DC2A2AE125E248BE476/logs?x=1', ['web-1']],
    [`1186668/76/${unlisted}`, [`1186668/76/${unlisted}`]],
    // An id alone does not say its project and region, and a date is not an id.
    [unlisted, []],
    ['2026/11/22 it began', []],
    ['web-1.example.com, web-10, my-web-1, constructor, __proto__', []],
    ['', []],
  ])('%j: %j', (text, named) => {
    expect(names(text)).toEqual(named);
  });

  it('are at most ten, of the first 20,000 characters', () => {
    const instances = Object.fromEntries(
      Array.from({ length: 30 }, (_, number) => [`n-${number}`, { id: `id-${number}`, labels: {} }]),
    );
    const text = Object.keys(instances).join(' ');
    expect(targetsIn(text, { ...inventory, instances })).toHaveLength(10);
    expect(names(`${'x '.repeat(10_000)}web-1`)).toEqual([]);
  });
});
