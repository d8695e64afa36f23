import { afterAll, beforeAll, expect, it } from 'vitest';

import { setStage, type Stage } from '../stage.ts';
import { until } from '../../until.ts';
import { gesture } from '../workspace-page.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'error' } });
});
afterAll(() => stage.close());

it('a form that is submitted before all its fields appear shows them, and names the missing ones', async () => {
  await stage.say('U0ALICE', '/storage post');
  const form = await until(async () => (await stage.modals('U0ALICE'))[0]);
  expect(JSON.stringify(form)).not.toContain('"Bucket"');
  const chosen = { text: { type: 'plain_text', text: 'Space used' }, value: 'reaching_used_space' };
  const values = { kind: { value: { type: 'static_select', selected_option: chosen } } };
  await gesture(stage.workspace, 'submit', { as: 'U0ALICE', view_id: form.id, values });
  const redrawn = await until(async () => {
    const [open] = await stage.modals('U0ALICE');
    return open && JSON.stringify(open).includes('"Bucket"') ? JSON.stringify(open) : undefined;
  });
  expect(redrawn).toContain('⛔ Bucket is missing.');
  expect(redrawn).toContain('⛔ Storage is missing.');
  expect(redrawn).not.toContain('Invalid input');
  expect(redrawn).toContain('reaching_used_space');
});
