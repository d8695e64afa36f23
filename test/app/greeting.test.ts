import { expect, it } from 'vitest';

import { greeting } from '../../src/app/endpoints.ts';
import { operation, z } from '../../src/bellhop/bellhop.ts';
import { operations } from '../../src/operations/index.ts';

const own = operation({
  name: 'lb.drain',
  summary: 'Take a server out.',
  risk: 'change',
  input: z.strictObject({}),
  run: () => Promise.resolve(),
});

it.each([
  ['without own operations', operations, 'nothing real is touched'],
  ['with one', [...operations, own], 'only your own operations touch anything real'],
])('a start with a local service says %s what is touched', (_, all, touched) => {
  const bot = { page: 'http://127.0.0.1:4000', url: 'http://127.0.0.1:3000' };
  const local = { slack: 'local', service: 'local' } as const;
  expect(greeting(local, all, bot)).toContain(`Slack and the service are simulated: ${touched}. Stop`);
});
