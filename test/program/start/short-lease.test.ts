import { writeFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { exampleRulebook } from '../rulebook-text.ts';
import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ rulebook: exampleRulebook({ lease: '3s' }) });
});
afterAll(() => stage.close());

const warned = (lease: string) =>
  until(
    async () =>
      stage.bot
        .output()
        .includes(`requests.lease: ${lease} is shorter than the longest call to the service, 30 s`)
        ? true
        : undefined,
    () => stage.bot.output(),
  );

it('a lease that is shorter than a call may last is warned of, at the start and with each new file', async () => {
  await warned('3 s');
  writeFileSync(stage.env['BELLHOP_CONFIG'] ?? '', exampleRulebook({ lease: '29s' }));
  await warned('29 s');
  writeFileSync(stage.env['BELLHOP_CONFIG'] ?? '', exampleRulebook({ lease: '30s' }));
  await until(async () => (stage.bot.output().split('policy loaded').length > 3 ? true : undefined));
  expect(stage.bot.output()).not.toContain('requests.lease: 30 s');
});
