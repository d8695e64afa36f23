import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { holdKind } from '../../../src/features/holds/hold.ts';
import type { Report } from '../../../src/model/values/report.ts';
import { correctedLines } from '../../../src/text/nearest.ts';
import type { Who } from '../../people.ts';
import { factsOf, type HoldStage, minute, openHolds } from './hold-stage.ts';

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

  it("of someone else is on the first one's message, and its holder is notified once", async () => {
    const also = (one: number) =>
      JSON.stringify(stage.posted[one]?.message).includes('also holds db-1 until');
    await hold();
    await stage.work();
    await stage.ask('/bellhop hold web-1 --reason "unrelated"', 'lee');
    await stage.work();
    expect(stage.posted.map(({ edits }) => edits)).toEqual([0, 0]);
    await stage.boxes.clock.advance(minute);
    await stage.ask('/bellhop hold db-1 --for 2h --reason "mine, too"', 'lee');
    await stage.work();
    expect([0, 1, 2].map(also)).toEqual([true, false, true]);
    expect(stage.posted[3]).toMatchObject({ thread: '1' });
    expect(stage.posted[3]?.message.text).toMatch(
      /^<@U0CAROL>: \*U0LEE\* also holds db-1 until .*\. Neither of you can change what you both hold\.$/u,
    );
    await stage.ask('/bellhop extend db-1', 'carol');
    await stage.ask('/bellhop extend db-1', 'lee');
    await stage.work();
    expect(stage.posted).toHaveLength(4);
    await stage.ask('/bellhop release db-1', 'lee');
    await stage.work();
    expect(also(0)).toBe(false);
    expect((await stage.log()).filter((line) => line.startsWith('held'))).toHaveLength(3);
  });

  it('is on the messages of both holds before it, and notifies both holders, each once', async () => {
    const answers: Report[] = [];
    for (const [who, time] of [
      ['carol', '1h'],
      ['lee', '2h'],
      ['dan on call', '3h'],
    ] as const) {
      answers.push(await stage.ask(`/bellhop hold db-1 --for ${time} --reason "mine"`, who));
      await stage.work();
      await stage.boxes.clock.advance(minute);
    }
    expect(answers[2]?.headline).toBe("U0CAROL and U0LEE hold db-1, too. You can't change it, either.");
    expect(answers[2]?.facts.filter(({ label }) => label === 'Also held')).toHaveLength(2);
    const replies = () => stage.posted.filter(({ thread }) => thread !== undefined);
    expect(replies().map(({ message }) => message.text.replaceAll(/ until .*?>\./gu, '.'))).toEqual([
      '<@U0CAROL>: *U0LEE* also holds db-1. Neither of you can change what you both hold.',
      '<@U0CAROL>: *U0DAN* also holds db-1. Neither of you can change what you both hold.',
      '<@U0LEE>: *U0DAN* also holds db-1. Neither of you can change what you both hold.',
    ]);
    expect(JSON.stringify(stage.posted[0]?.message)).toMatch(
      /U0LEE\* also holds .*U0DAN\* also holds .*None of you can change/u,
    );
    await stage.ask('/bellhop release db-1', 'dan on call');
    await stage.work();
    expect(replies()).toHaveLength(3);
    expect(JSON.stringify(stage.posted[0]?.message)).not.toContain('U0DAN');
  });

  it('notifies the holder of each other hold, also of one that begins before the reply about the last is posted', async () => {
    await hold();
    await stage.work();
    const begin = async (who: Who): Promise<void> => {
      await stage.ask('/bellhop hold db-1 --reason "mine"', who);
      await stage.workWithoutReplies();
    };
    await stage.boxes.clock.advance(minute);
    await begin('lee');
    await begin('dan on call');
    await stage.work();
    const toCarol = stage.posted.flatMap(({ thread, message }) => (thread === '1' ? message.text : []));
    expect(toCarol.map((text) => /\*(U0\w+)\* also holds/u.exec(text)?.[1])).toEqual(['U0LEE', 'U0DAN']);
  });

  it('is not begun on two targets at once, and each of them is offered alone', async () => {
    const typed = 'hold web-1 db-1 --reason "failover drill"';
    await expect(stage.ask(`/bellhop ${typed}`, 'carol')).rejects.toMatchObject({
      message: expect.stringMatching(/ Nothing was held\. Type one command for each target\.$/u) as string,
      guess: { typed: 'web-1 db-1', words: ['web-1', 'db-1'] },
    });
    expect(correctedLines(typed, { typed: 'web-1 db-1', words: ['web-1', 'db-1'] })).toEqual([
      'hold web-1 --reason "failover drill"',
      'hold db-1 --reason "failover drill"',
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
