import { z } from 'zod';

import { operation, type ReadContext } from '../../model/operation.ts';
import { bellhopTarget } from '../../command/targets.ts';

export const help = operation({
  name: 'bellhop.help',
  summary: 'Show what you may do in this channel.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop help'],
  target: () => bellhopTarget,
  run: (_input, { bellhop, actor, place }: ReadContext<typeof bellhopTarget>) =>
    bellhop.helpHere(actor, place),
  report: (overview) => overview,
});
