import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sweep } from '../due/sweep.ts';
import { runTypedCommand } from '../../src/run/run-command.ts';
import { expectIntact } from '../store/contract/opened.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import { type ClickAction, isOpen, type Request } from '../../src/model/records/request.ts';
import { openBoxes, type BoxStage } from '../run/sample-boxes.ts';
import { mortal } from '../run/killable-store.ts';
import { callerOf } from '../core.ts';
import { people, type Who } from '../people.ts';

/** The possible events, in any order and overlapping: `at` picks a process and a request. */
type Happening =
  | { readonly kind: 'command'; readonly who: Who; readonly typed: string; readonly at: number }
  | {
      readonly kind: 'click';
      readonly who: Who | 'the requester';
      readonly action: ClickAction;
      readonly at: number;
      readonly times: number;
    }
  | { readonly kind: 'pass' | 'sweep' | 'kill' | 'breathe'; readonly at: number };

const at = fc.nat(7);
const command = fc.record({
  kind: fc.constant('command'),
  who: fc.constantFrom<Who>('alice', 'alice', 'lee', 'bob'),
  typed: fc.constantFrom('kick web-1', 'shove web-1', 'shove web-2', 'kick db-1', 'shove db-1', 'kick quick'),
  at,
});
const click = fc.record({
  kind: fc.constant('click'),
  who: fc.constantFrom<Who | 'the requester'>(
    ...(['the requester', 'the requester', 'carol', 'dan on call', 'lee', 'bob'] as const),
  ),
  action: fc.constantFrom<ClickAction>('confirm', 'confirm', 'approve', 'approve', 'cancel', 'deny'),
  at,
  times: fc.integer({ min: 1, max: 3 }),
});
const passing = fc.record({
  kind: fc.constantFrom('pass', 'sweep', 'kill', 'breathe', 'breathe', 'breathe'),
  at,
});
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: command },
  { weight: 5, arbitrary: click },
  { weight: 4, arbitrary: passing },
);

/** Two processes on one store, of which either can be killed at any moment and is started again. */
function living(stage: BoxStage) {
  const born = () => {
    const life = mortal(stage.store);
    return { life, process: stage.another(life.store) };
  };
  const processes = [born(), born()];
  return {
    pick: (index: number): BoxStage => processes[index % 2]?.process ?? stage,
    kill(index: number) {
      processes[index % 2]?.life.die();
      processes[index % 2] = born();
    },
  };
}

/** Runs everything, then lets time pass until the deadlines. Throws errors that are not meant for people. */
async function happen(stage: BoxStage, happenings: readonly Happening[]): Promise<readonly Request[]> {
  const world = living(stage);
  const proposed: Request[] = [];
  const mistakes: unknown[] = [];
  const begin = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => error instanceof BellhopError || mistakes.push(error));
  };
  // A kick takes a while; now and then its answer is lost.
  stage.service.kick = async (box) => {
    await stage.clock.wait(500);
    if (stage.service.kicks.length % 2 === 0) throw new Error('the answer got lost');
    return `${box} moved`;
  };
  for (const happens of happenings) {
    const process = world.pick(happens.at);
    if (happens.kind === 'command') {
      const answer = runTypedCommand(process.context, callerOf(people[happens.who]), 'box', happens.typed);
      begin(answer.then((given) => given.kind === 'request' && proposed.push(given.request)));
    } else if (happens.kind === 'click') {
      const request = proposed.at(-1 - (happens.at % Math.max(Math.min(proposed.length, 3), 1)));
      const times = request ? happens.times : 0;
      for (let time = 0; time < times; time += 1) {
        const who = happens.who === 'the requester' ? requesterOf(request) : happens.who;
        begin(world.pick(happens.at + time).click(who, request ?? { id: '' }, happens.action));
      }
    } else if (happens.kind === 'pass') await stage.clock.advance(happens.at * 50_000);
    else if (happens.kind === 'sweep') begin(sweep(process.context));
    else if (happens.kind === 'kill') world.kill(happens.at);
    else await stage.clock.advance(happens.at * 100);
  }
  for (let minute = 0; minute < 20; minute += 1) {
    await stage.clock.advance(60_000);
    await sweep(stage.context);
  }
  if (mistakes.length > 0) throw new AggregateError(mistakes, 'not meant for people');
  return stage.store.list({ limit: 1000 });
}

const requesterOf = (request: Request | undefined): Who =>
  request?.requester.user === people.lee.user ? 'lee' : 'alice';

describe('whatever happens to two processes on one store', () => {
  it('no request is sent twice, each ends, and the record is whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 20, maxLength: 60, size: 'max' }),
        async (happenings) => {
          const stage = await openBoxes();
          try {
            const requests = await happen(stage, happenings);
            expect(requests.filter(({ state }) => isOpen(state)).map(({ id, state }) => [id, state])).toEqual(
              [],
            );
            const ran = requests.filter(({ startedAt }) => startedAt !== undefined);
            const { kickedFor } = stage.service;
            expect(new Set(kickedFor).size).toBe(kickedFor.length);
            expect(ran.map(({ correlationId }) => correlationId)).toEqual(expect.arrayContaining(kickedFor));
            for (const request of requests) {
              const story = await stage.story(request);
              const started = story.filter((line) => line.startsWith('started')).length;
              expect(started).toBe(request.startedAt === undefined ? 0 : 1);
              expect(story.filter((line) => line.startsWith('ended')).length).toBeLessThanOrEqual(2);
            }
            await expectIntact(stage.store);
          } finally {
            await stage.close();
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
