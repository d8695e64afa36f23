import { expect, it } from 'vitest';

import { lookBack } from '../../src/policy/reach.ts';
import { findInstance } from '../../src/command/inventory.ts';
import { openBoxes } from '../run/sample-boxes.ts';
import { aProposal, aRequest, aStep } from '../store/sample-request.ts';

it('an operation finds its last request behind any number of others of the same target', async () => {
  const boxes = await openBoxes();
  const target = findInstance(boxes.rulebook.inventory, 'web-1');
  const ran = async (operation: string): Promise<string> => {
    const request = aRequest({ operation, target, input: { box: 'web-1' } });
    await boxes.store.propose(aProposal(request));
    const running = await boxes.store.advance(aStep(request, 'running', { changes: { startedAt: 1 } }));
    if (running) await boxes.store.advance(aStep(running, 'succeeded'));
    return request.id;
  };
  const id = await ran('box.kick');
  for (let count = 0; count < 51; count += 1) await ran('box.shove');
  const entry = boxes.context.registry.find('box.kick');
  if (!entry) throw new Error('there is no such operation');
  const { earlier } = lookBack(boxes.context, entry, { box: 'web-1' });
  expect(await earlier()).toMatchObject([{ id, state: 'succeeded' }]);
  await boxes.close();
});
