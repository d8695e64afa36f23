import { operation, type BellhopTarget, type ReadContext, z } from '../../bellhop/bellhop.ts';
import { given, itemCount } from '../../bellhop/parts/report-parts.ts';
import { samePerson } from '../../model/values/actor.ts';
import type { Item, ReportParts } from '../../model/values/report.ts';
import { someNames } from '../../text/words.ts';
import { ownerKind, ownersNow, targetsOf } from './owner.ts';
import { handBackAction, takeAction } from './render.ts';

const most = { read: 500, listed: 40, linked: 20 } as const;

/** Sources of programs have a colon, as in `agent:holmes`. Hooks have none. */
const isHook = (source: string): boolean => !source.includes(':');

export const listAlerts = operation({
  name: 'bellhop.alerts',
  summary: 'Show firing alerts, worst first, and who is on them.',
  risk: 'read',
  input: z.strictObject({
    mine: z.boolean().default(false).describe('Only those that you are on.'),
    hook: z
      .string()
      .trim()
      .max(60, 'is too long: a hook has at most 60 characters')
      .optional()
      .describe('Only those of this hook.')
      .meta({ placeholder: 'alertmanager' }),
  }),
  examples: ['/bellhop alerts', '/bellhop alerts --mine', '/bellhop alerts --hook alertmanager'],
  async run({ mine, hook }, { bellhop, actor, place }: ReadContext<BellhopTarget>) {
    const [all, owners] = await Promise.all([bellhop.firing(most.read), bellhop.lasting(ownerKind)]);
    const owned = new Map(ownersNow(owners).map((one) => [one.group, one]));
    const wanted = all.filter(
      ({ group, message }) =>
        isHook(message.source) &&
        (hook === undefined || message.source === hook) &&
        (!mine || samePerson(owned.get(group.id)?.by ?? { team: '', user: '' }, actor)),
    );
    const isPrivate = place.channel.startsWith('D') && (await bellhop.holdsARole(actor));
    const seen = wanted.filter(({ message }) => isPrivate || message.channel === place.channel);
    const items = seen.slice(0, most.listed).map(async ({ group, message }, index): Promise<Item> => {
      const owner = owned.get(group.id);
      const names = targetsOf(group.content);
      const isMine = owner !== undefined && samePerson(owner.by, actor);
      return {
        title: `${group.content.title}${names.length === 0 ? '' : ` on ${someNames(names)}`}`,
        state: owner ? 'owned' : 'no owner',
        sign: '🔴',
        id: group.id,
        by: owner?.by,
        at: owner?.since ?? group.statusAt,
        channel: message.channel,
        link: index < most.linked ? await bellhop.linkToMessage(message) : undefined,
        buttons: isMine
          ? [{ action: handBackAction, text: 'Hand back', value: group.id }]
          : [{ action: takeAction, text: owner ? 'Take over' : "I'm on it", value: group.id }],
      };
    });
    return {
      items: await Promise.all(items),
      more: Math.max(0, seen.length - most.listed),
      hidden: wanted.length - seen.length,
    };
  },
  report({ items, more, hidden }, { input: { mine, hook } }): ReportParts {
    const count = items.length + more;
    const what = mine || hook !== undefined ? 'matching alerts' : 'alerts';
    const here = count === 0 ? `No ${what}` : `${itemCount(count, 'alert')} firing`;
    const elsewhere = `${hidden} ${hidden === 1 ? 'fires' : 'fire'} elsewhere`;
    return {
      title: 'Alerts',
      headline: hidden === 0 ? `${here}.` : `${here} here. ${elsewhere}.`,
      items: [...items],
      notes: given(
        more > 0 && `${more} more are not listed. Use --hook for fewer.`,
        hidden > 0 &&
          'For alerts of other channels, type /bellhop alerts there, or in a direct message if you have a role.',
      ),
    };
  },
});
