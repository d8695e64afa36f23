import { afterAll, beforeAll, expect, it } from 'vitest';

import { setStage, type Stage } from '../stage.ts';
import { until } from '../../until.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'error' } });
});
afterAll(() => stage.close());

it('a form opens within the 3 s that Slack gives, while the service that decides its fields hangs', async () => {
  await stage.fault('describeStorageEvents', { hang: true });
  await stage.say('U0ALICE', '/storage post reaching_used_space');
  const form = await until(async () => (await stage.modals('U0ALICE'))[0]);
  expect(form.title?.text).toBe('/storage post');
  const shown = JSON.stringify(form);
  for (const label of ['Bucket', 'Storage', 'Limit (size)']) expect(shown).toContain(label);
});
