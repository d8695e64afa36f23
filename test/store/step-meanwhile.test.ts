import { expect, it } from 'vitest';

import { openDatabase } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { aProposal, aRequest, aStep } from './sample-request.ts';
import { createStore } from './open-store.ts';

it('does not take a step that commits while it looks for a lost one', async () => {
  const database = await openDatabase({ dataDir: temporaryFolder() });
  const done: string[] = [];
  let meanwhile: (() => Promise<unknown>) | undefined;
  const store = createStore({
    ...database,
    home: async () => {
      await meanwhile?.();
      return database.home();
    },
    writeAlone: (work) => {
      done.push('looked again, alone');
      return database.writeAlone(work);
    },
  });
  const [other, last] = [aRequest(), aRequest()];
  for (const request of [other, last]) await store.propose(aProposal(request));
  expect(await store.endIfSetBack(1)).toBeUndefined();

  meanwhile = async () => {
    meanwhile = undefined;
    if (await store.advance(aStep(other, 'cancelled'))) done.push('stepped');
  };

  expect(await store.endIfSetBack(2)).toBeUndefined();
  expect(done).toEqual(['stepped']);
  await store.close();
});
