import { z } from 'zod';

import { operation, type ReadContext } from '../../model/operation.ts';
import { bellhopTarget } from '../../command/targets.ts';

export const requests = operation({
  name: 'bellhop.requests',
  summary: 'List what waits: yours, what waits for you, what is unknown.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop requests'],
  target: () => bellhopTarget,
  run: (_input, { bellhop, actor }: ReadContext<typeof bellhopTarget>) => bellhop.openItems(actor),
  report: (items) => ({
    title: 'Open requests',
    headline: items.length === 0 ? 'Nothing waits.' : counts(items.map(({ state }) => state)),
    items: [...items],
    notes: items.some(({ state }) => state === 'unknown')
      ? ['Unknown: check the target before you run it again. Listed for 7 days; /bellhop audit has the rest.']
      : [],
  }),
});

/** `2 proposed, 1 unknown` */
function counts(states: readonly string[]): string {
  const each = [...new Set(states)].map(
    (state) => `${states.filter((other) => other === state).length} ${state}`,
  );
  return `${each.join(', ')}.`;
}
