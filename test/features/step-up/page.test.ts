import { afterEach, beforeEach, expect, it } from 'vitest';

import { requestRows } from '../../../src/features/step-up/page.ts';
import { linesOn, recentLines } from '../../../src/slack/cards/card-lines.ts';
import { callerOf } from '../../core.ts';
import { silentLog } from '../../log.ts';
import { people } from '../../people.ts';
import { type BoxStage, openBoxes } from '../../run/sample-boxes.ts';

const linkTo = () => Promise.resolve(undefined);

let boxes: BoxStage;
beforeEach(async () => {
  boxes = await openBoxes();
});
afterEach(() => boxes.close());

it.each([
  ['C0OPS', 'ops', '#ops'],
  ['C0OPS', 'privategroup', 'a private channel'],
  ['C0OPS', undefined, 'C0OPS'],
  ['U0CAROL', undefined, 'C0OPS'],
  ['D0CAROL', 'directmessage', 'C0OPS'],
])('names the channel of the request after a press in %s (%s)', async (channel, channelName, shown) => {
  const request = await boxes.propose('alice', '/box kick db-1');
  const { id: requestId, version } = request;
  const { actor, place, correlationId } = callerOf(people.carol, channel);
  const held = { requestId, version, action: 'approve', actor, place, channelName, correlationId } as const;
  const context = { ...boxes.context, beside: () => Promise.resolve({}) };
  expect(await requestRows(context, request, held, 'carol')).toContainEqual(['Channel', shown]);
});

it('has the warnings of the card', async () => {
  const before = await boxes.propose('alice', '/box kick web-1');
  await boxes.click('alice', before, 'confirm');
  await boxes.becomes(before, 'succeeded');
  const asked = await boxes.propose('alice', '/box kick db-1');
  const request = {
    ...asked,
    recentChange: before.id,
    lastUnknownAt: boxes.clock.now(),
    note: 'Last one today.',
  };
  const { id: requestId, version } = request;
  const { actor, place, correlationId } = callerOf(people.carol, 'C0OPS');
  const held = { requestId, version, action: 'approve', actor, place, correlationId } as const;
  const whole = { text: 'Kick 3 × tier=web', link: 'https://x.slack.com/archives/C1/p1' };
  const bar = { label: 'Held now', noun: 'hold', by: actor, until: undefined };
  const lines = {
    standing: () => Promise.resolve([{ ...bar, said: ['Held by ', { person: 'T0ELSE/U0EVE' }] }]),
    draft: () => Promise.resolve([]),
    others: [
      recentLines({ store: boxes.store, registry: boxes.context.registry, linkTo }),
      () => Promise.resolve([[whole, ' is paused.']]),
    ],
  };
  const beside = linesOn(lines, boxes.store, silentLog, linkTo);
  const context = { ...boxes.context, beside };
  const rows = await requestRows(context, request, held, 'carol');
  expect(rows[1]).toEqual([
    'Note',
    [
      'Held by U0EVE.',
      'Alice *Liddell* (U0ALICE) ran kick db-1 on 2026-11-21 03:00 (UTC).',
      'Kick 3 × tier=web is paused.',
      '⚠️ The attempt on 2026-11-21 03:00 (UTC) has an unknown outcome and may have run. Check before you run it again.',
      'Last one today.',
    ].join('\n'),
  ]);
  const earlierParts = new Map([['web-1', before]]);
  const ofParts = { ...context, beside: () => Promise.resolve({ earlierParts }) };
  expect((await requestRows(ofParts, asked, held, 'carol'))[1]).toEqual([
    'Note',
    '⚠️ The attempt on 2026-11-21 03:00 (UTC) has an unknown outcome and may have run (web-1).',
  ]);
});
