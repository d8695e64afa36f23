import { afterAll, beforeAll, expect, it } from 'vitest';

import { setStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

it('a followed container is one message in the channel that goes on by itself until it is there', async () => {
  await stage.say('U0ALICE', '/cloud container thumbnails --follow');
  const posted = await stage.seen('U0BOB', ({ text }) => text.includes('0 of 3 ready'));
  expect(JSON.stringify(posted.blocks)).toContain('Following until');
  await stage.advance(60_000);
  const done = await stage.seen('U0BOB', ({ text }) => text.includes('3 of 3 ready'));
  expect(done.ts).toBe(posted.ts);
  expect(JSON.stringify(done.blocks)).toContain('Done: no longer followed.');
});
