import { type ReadContext, operation, z, type BellhopTarget } from '../../bellhop/bellhop.ts';

export const help = operation({
  name: 'bellhop.help',
  summary: 'Show what you can do in this channel.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop help'],
  run: (_input, { bellhop, actor, place }: ReadContext<BellhopTarget>) => bellhop.helpHere(actor, place),
  report: (overview) => overview,
});

export const requests = operation({
  name: 'bellhop.requests',
  summary: 'List your open requests, those you can approve, and unknown outcomes.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop requests'],
  run: (_input, { bellhop, actor }: ReadContext<BellhopTarget>) => bellhop.openItems(actor),
  report: ({ items, more }) => ({
    title: 'Open requests',
    headline: items.length === 0 ? 'No open requests.' : counts(items.map(({ state }) => state)),
    items: [...items],
    notes: [
      ...(more
        ? ['This list is not complete: there are more requests, and only the newest are listed.']
        : []),
      ...(items.some(({ state }) => state === 'unknown')
        ? [
            'If an outcome is unknown, check the target before you run the command again. Older requests are in /bellhop audit.',
          ]
        : []),
    ],
  }),
});

function counts(states: readonly string[]): string {
  const each = [...new Set(states)].map(
    (state) => `${states.filter((other) => other === state).length} ${state}`,
  );
  return `${each.join(', ')}.`;
}
