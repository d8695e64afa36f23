import { operation, type BellhopTarget, type ReadContext, z } from '../../bellhop/bellhop.ts';
import { given, itemCount, tableOf, texts } from '../../bellhop/parts/report-parts.ts';
import { holdKind, inForce, targetsText, whatOf } from './hold.ts';

export const listHolds = operation({
  name: 'bellhop.holds',
  summary: 'Show which targets are held, by whom, why and until when.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop holds'],
  run: async (_input, { bellhop }: ReadContext<BellhopTarget>) => inForce(await bellhop.lasting(holdKind)),
  report: (found) => ({
    title: 'Holds',
    headline: found.length === 0 ? 'Nothing is held.' : `${itemCount(found.length, 'hold')}.`,
    tables: tableOf(
      'Oldest first',
      texts('Held', 'By', 'Until', 'Reason', 'Targets', 'Hold'),
      found.map((one) => [
        whatOf(one),
        { person: one.by.user },
        one.uncertain === undefined ? { at: one.until } : 'not certain',
        one.reason,
        targetsText(one),
        one.id,
      ]),
    ),
    notes: given(
      found.length > 0 &&
        'To end a hold, its holder can type /bellhop release. So can anyone whom a rule allows to.',
    ),
  }),
});
