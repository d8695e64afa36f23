import { afterEach, beforeEach, expect, it } from 'vitest';

import { requestRows } from '../../../src/features/step-up/page.ts';
import { callerOf } from '../../core.ts';
import { people } from '../../people.ts';
import { type BoxStage, openBoxes } from '../../run/sample-boxes.ts';

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
  expect(await requestRows(boxes.context, request, held, 'carol')).toContainEqual(['Channel', shown]);
});
