import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runTypedCommand } from '../../src/run/run-command.ts';
import { DeniedError } from '../../src/policy/denied.ts';
import { IgnoredClickError } from '../../src/request/steps/step.ts';
import type { Request } from '../../src/model/records/request.ts';
import type { Limit } from '../../src/model/rulebook/rulebook.ts';
import { openBoxes, type BoxStage } from '../run/sample-boxes.ts';
import { callerOf } from '../core.ts';
import { people, type Who } from '../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const minute = 60_000;
const limit = (per: Limit['per'], atMost: number, more: Partial<Limit> = {}): Limit => ({
  per,
  atMost,
  withinMs: 10 * minute,
  ...more,
});
const limitTo = (...limits: Limit[]): void => {
  stage.rulebook = { ...stage.rulebook, limits };
};

/** Asks, confirms and waits for the end. Returns the reason if the request is refused. */
async function change(who: Who, typed: string): Promise<string> {
  try {
    const proposed = await stage.propose(who, typed);
    await stage.click(who, proposed, 'confirm');
    return (await stage.becomes(proposed, 'succeeded')).state;
  } catch (error) {
    if (error instanceof DeniedError) return error.rule;
    throw error;
  }
}

const changes = async (...commands: readonly (readonly [Who, string])[]): Promise<readonly string[]> => {
  const came: string[] = [];
  for (const [who, typed] of commands) came.push(await change(who, typed));
  return came;
};

/** Resolves to `runs`, or to the reason why not. */
const clicked = (of: BoxStage, who: Who, request: Request): Promise<string> =>
  of.click(who, request, 'confirm').then(
    () => 'runs',
    (error: Error) => error.message,
  );

describe('a limit', () => {
  it.each<[string, Limit, readonly (readonly [Who, string])[], readonly string[]]>([
    [
      'of a target counts changes by anyone',
      limit('target', 1),
      [
        ['alice', '/box kick web-1'],
        ['lee', '/box kick web-1'],
        ['lee', '/box kick web-2'],
      ],
      ['succeeded', 'limit 1', 'succeeded'],
    ],
    [
      'of a target knows it under its id',
      limit('target', 1),
      [
        ['alice', '/box kick web-1'],
        ['alice', '/box shove 1/2/ID-1'],
      ],
      ['succeeded', 'limit 1'],
    ],
    [
      'of a person counts what they change',
      limit('person', 2),
      [
        ['alice', '/box kick web-1'],
        ['alice', '/box kick web-2'],
        ['alice', '/box kick web-1'],
        ['lee', '/box kick web-1'],
      ],
      ['succeeded', 'succeeded', 'limit 1', 'succeeded'],
    ],
    [
      'in all counts everything',
      limit('all', 1),
      [
        ['alice', '/box kick web-1'],
        ['lee', '/box kick web-2'],
      ],
      ['succeeded', 'limit 1'],
    ],
    [
      'of one operation leaves the others alone, and does not count them',
      limit('all', 1, { operations: ['box.shove'] }),
      [
        ['alice', '/box kick web-1'],
        ['alice', '/box shove web-1'],
        ['alice', '/box kick web-1'],
        ['alice', '/box shove web-2'],
      ],
      ['succeeded', 'succeeded', 'succeeded', 'limit 1'],
    ],
    [
      'of an area holds for all of it',
      limit('all', 1, { operations: ['box.*'] }),
      [
        ['alice', '/box kick web-1'],
        ['alice', '/box shove web-1'],
      ],
      ['succeeded', 'limit 1'],
    ],
    [
      'of labelled targets leaves the others alone',
      limit('all', 1, { labels: { env: 'production' } }),
      [
        ['alice', '/box kick web-1'],
        ['alice', '/box kick web-1'],
      ],
      ['succeeded', 'succeeded'],
    ],
  ])('%s', async (_, one, commands, came) => {
    limitTo(one);
    expect(await changes(...commands)).toEqual(came);
  });

  it('of a person or a target counts nothing else, even together with one that counts everything', async () => {
    limitTo(limit('person', 2), limit('target', 1), limit('all', 4));
    const came = await changes(
      ['lee', '/box kick web-1'],
      ['alice', '/box kick web-2'],
      ['lee', '/box kick web-2'],
    );
    expect(came).toEqual(['succeeded', 'succeeded', 'limit 2']);
    limitTo(limit('person', 1), limit('all', 4));
    expect(await changes(['carol', '/box kick web-1'], ['carol', '/box kick web-2'])).toEqual([
      'succeeded',
      'limit 1',
    ]);
  });

  it('says which it is and until when, and is over by then', async () => {
    limitTo(limit('all', 9), limit('person', 2, { withinMs: 90 * minute }));
    const began = stage.clock.now();
    await change('alice', '/box kick web-1');
    await stage.clock.advance(minute);
    const last = await stage.propose('alice', '/box kick web-2');
    expect(last.note).toBe('Limit 2: this is the last of 2 changes allowed per person within 1h30m.');
    await change('alice', '/box kick web-1');
    const refused = await stage.propose('alice', '/box kick web-1').catch((error: unknown) => error);
    expect(refused).toMatchObject({
      rule: 'limit 2',
      message:
        "You can't kick web-1 now. Rate limit reached (limit 2): at most 2 changes per person in 1h30m. Nothing was done.",
      until: began + 90 * minute,
    });
    const [entry] = await stage.store.audit({ limit: 1 });
    expect(entry).toMatchObject({ event: 'denied', rule: 'limit 2' });
    await stage.clock.advance(89 * minute - 1);
    expect(await change('alice', '/box kick web-1')).toBe('limit 2');
    await stage.clock.advance(1);
    expect(await change('alice', '/box kick web-1')).toBe('succeeded');
  });

  it('counts neither requests that were only proposed nor reads', async () => {
    limitTo(limit('all', 1));
    await stage.click('alice', await stage.propose('alice', '/box kick web-1'), 'cancel');
    expect(await change('alice', '/box kick web-1')).toBe('succeeded');
    const looked = await runTypedCommand(stage.context, callerOf(people.alice), 'box', 'look web-1');
    expect(looked.kind).toBe('report');
  });

  it('is judged again on the click, which leaves the request open for later', async () => {
    limitTo(limit('all', 1));
    const [first, second] = [
      await stage.propose('alice', '/box kick web-1'),
      await stage.propose('lee', '/box kick web-2'),
    ];
    await stage.click('alice', first, 'confirm');
    await stage.becomes(first, 'succeeded');
    const refused = await stage.refused('lee', second, 'confirm');
    expect(refused).toBeInstanceOf(IgnoredClickError);
    expect(refused.message).toBe(
      'Not run. Rate limit reached (limit 1): at most 1 change in total in 10m. Click again once it is allowed.',
    );
    expect(refused).toHaveProperty('until', expect.any(Number));
    expect(await stage.find(second)).toMatchObject({ state: 'proposed' });
    await stage.clock.advance(10 * minute);
    expect(await stage.click('lee', second, 'confirm')).toMatchObject({ state: 'running' });
    await stage.becomes(second, 'succeeded');
  });

  it('is kept if changes start at the same moment, by two processes', async () => {
    limitTo(limit('all', 1));
    const another = stage.another();
    another.rulebook = stage.rulebook;
    const commands = await Promise.all([
      stage.propose('alice', '/box kick web-1'),
      another.propose('lee', '/box kick web-2'),
    ]);
    const came = await Promise.all([
      clicked(stage, 'alice', commands[0]),
      clicked(another, 'lee', commands[1]),
    ]);
    expect(came.filter((one) => one === 'runs')).toHaveLength(1);
    expect(came.find((one) => one !== 'runs')).toMatch(/^Not run\. Rate limit reached \(limit 1\)/u);
    for (const request of commands) {
      if ((await stage.find(request)).startedAt !== undefined) await stage.becomes(request, 'succeeded');
    }
    expect(stage.service.kicks).toHaveLength(1);
  });
});
