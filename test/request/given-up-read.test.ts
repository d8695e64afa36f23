import { expect, it } from 'vitest';

import { readWithinTime } from '../../src/request/outcome/sighting.ts';
import { openBoxes } from '../run/sample-boxes.ts';

it('a read of the target that is given up is cancelled, and so does not count as a failure of the service', async () => {
  const stage = await openBoxes();
  const request = await stage.propose('alice', '/box kick web-1');
  const entry = stage.context.registry.find(request.operation);
  if (!entry) throw new Error('no operation');
  let given: AbortSignal | undefined;
  const read = readWithinTime(stage.context, entry, request, ({ signal }) => {
    given = signal;
    return Promise.withResolvers<never>().promise;
  });
  await stage.clock.advance(2_000);
  expect(await read).toBeUndefined();
  expect(given?.reason).toMatchObject({ name: 'AbortError' });
  await stage.close();
});
