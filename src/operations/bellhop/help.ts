import { z } from 'zod';

import { helpOverview } from '../../core/help.ts';
import { operation, type RunContext } from '../../core/operation.ts';
import { itself } from './itself.ts';

export const help = operation({
  name: 'bellhop.help',
  summary: 'Show what you may do in this channel.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop help'],
  target: () => itself,
  async run(_input, { bellhop, actor, place }: RunContext<typeof itself>) {
    const offered = await bellhop.offered(actor, place);
    return helpOverview(bellhop.catalogue, undefined, (entry) => offered.includes(entry));
  },
  report: (overview) => overview,
});
