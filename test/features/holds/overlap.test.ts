import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { holdKind } from '../../../src/features/holds/hold.ts';
import { factsOf, type HoldStage, openHolds } from './hold-stage.ts';

let stage: HoldStage;
let hold: HoldStage['hold'];
beforeEach(async () => {
  stage = await openHolds();
  ({ hold } = stage);
});
afterEach(() => stage.close());

describe('a second hold', () => {
  it('of the same person on the same targets replaces the first, and says so', async () => {
    await hold();
    const [first] = await stage.holds();
    const answer = await hold('--for 2h --reason "still on it"');
    expect(factsOf(answer)['Replaces']).toMatch(`your hold ${first?.id} until `);
    await stage.work();
    expect(await stage.holds()).toMatchObject([{ reason: 'still on it' }]);
    expect(await stage.log()).toEqual([
      expect.stringMatching(/^held: db-1, until 2026-11-21 04:00:00 UTC “failover drill” by U0CAROL$/u),
      expect.stringMatching(
        /^hold released: db-1, .* replaced by a newer hold “failover drill” by U0CAROL$/u,
      ),
      expect.stringMatching(/^held: db-1, until 2026-11-21 05:00:00 UTC, .* “still on it” by U0CAROL$/u),
    ]);
  });

  it('is refused once a person has 20, or all have 100', async () => {
    await hold();
    const [sample] = await stage.holds();
    if (!sample) throw new Error('nothing is held');
    const fill = (count: number, user: string) =>
      stage.store.changeLasting(holdKind, stage.boxes.clock.now(), () => ({
        drafts: Array.from({ length: count }, (_, at) => ({
          kind: holdKind,
          key: `h-${user}-${at}`,
          at: undefined,
          about: {
            ...sample,
            id: `h-${user}-${at}`,
            by: { ...sample.by, user },
            selector: { labels: { at: `${at}` } },
          },
        })),
        audit: [],
      }));
    await fill(19, 'U0CAROL');
    await expect(stage.ask('/bellhop hold web-1 --reason x', 'carol')).rejects.toThrow(
      /already have 20 holds/u,
    );
    expect(await hold('--reason "again"')).toMatchObject({ tone: 'good' });
    await fill(80, 'U0X');
    await expect(stage.ask('/bellhop hold web-1 --reason x', 'lee')).rejects.toThrow(/already 100 holds/u);
  });
});

describe('two replicas', () => {
  it('neither of them starts a change that the answer does not name', async () => {
    const other = stage.another();
    const waits = await stage.boxes.propose('alice', '/box kick web-1');
    // Makes its decision before the hold, and its claim after it.
    const late = stage.another({
      ...stage.store,
      lasting: async (kind) => {
        const before = await stage.store.lasting(kind);
        if (before.length === 0) await other.ask('/bellhop hold web-1 --reason x', 'carol');
        return before;
      },
    });
    expect((await late.boxes.refused('alice', waits, 'confirm')).message).toContain('web-1 is held by');
    expect(stage.boxes.service.kicks).toEqual([]);
  });
});
