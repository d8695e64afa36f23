import { describe, expect, it } from 'vitest';

import { aRequest } from '../store/sample-request.ts';
import { besideAnother, contradiction } from './verdict.ts';

describe('the judge of the shown outcomes', () => {
  it.each([
    ['succeeded', 1, 1, 'nothing'],
    ['succeeded', 1, 0, 'the service did nothing for it'],
    ['succeeded', 0, 0, 'the service did nothing for it'],
    ['failed', 1, 0, 'nothing'],
    ['failed', 1, 1, 'the service carried it out'],
    ['unknown', 1, 0, 'nothing'],
    ['unknown', 1, 1, 'nothing'],
    ['cancelled', 1, 1, 'was sent'],
    ['expired', 1, 0, 'was sent'],
  ] as const)(
    'finds of a %s request that was sent %i and executed %i times: %s',
    (state, sent, effects, found) => {
      const said = contradiction({ ...aRequest(), state }, sent, effects).join(', ');
      expect(said === '' ? 'nothing' : said).toContain(found);
    },
  );

  it('finds two changes of one rollout at the same time, and none if the first had ended', () => {
    const [first, second] = [1, 2].map((startedAt) =>
      aRequest({ partOf: 'r-all', startedAt: startedAt * 10 }),
    );
    const rows = [first, second].flatMap((one) => one ?? []);
    expect(besideAnother(rows, new Map([[first?.id ?? '', 19]]))).toEqual([]);
    expect(besideAnother(rows, new Map([[first?.id ?? '', 21]]))).toHaveLength(1);
    expect(besideAnother(rows, new Map())).toHaveLength(1);
  });
});
