import { expect, test } from 'vitest';

import { checkText } from '../../../src/slack/handle/card-buttons.ts';
import { confirmed } from '../../sample-request.ts';

const sent = { from: 0, to: 1 };
const look = { at: 0, title: 'web-1 is ACTIVE, as it was before' };

test('a check that suggests the outcome says first what most likely happened, and what to press', () => {
  const search = { sent, seen: 'The change most likely did not run.', suggests: 'failed' as const };
  const unknown = confirmed({ state: 'unknown', outcome: { search, look } });
  const rest =
    'The change most likely did not run. Press *Settle…* to record that it did not run, or *Run it again*.';
  expect(checkText(unknown, false)).toBe(`Checked just now: nothing new. ${rest}`);
  expect(checkText(unknown, true)).toBe(`Checked just now. ${rest}`);
  const changed = confirmed({ state: 'unknown', outcome: { look } });
  expect(checkText(changed, false)).toBe(
    'Checked just now. The outcome is still unknown. web-1 is ACTIVE, as it was before. Check web-1 itself, then press *Settle…*.',
  );
});
