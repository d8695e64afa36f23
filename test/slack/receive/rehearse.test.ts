import { expect, it } from 'vitest';

import { rehearse } from '../../../src/slack/receive/rehearse.ts';
import { systemClock } from '../../../src/app/process/system-clock.ts';

it('is acknowledged each time, and leaves nothing that keeps a process alive', async () => {
  const before = process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'));
  await rehearse(systemClock);
  await expect
    .poll(() => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP')))
    .toEqual(before);
});

it('says where it is not: a clock that Slack would not believe', async () => {
  const wrong = { ...systemClock, now: () => Number.NaN };
  await expect(rehearse(wrong)).rejects.toThrow('a rehearsal was answered with 401');
});
