import { operation, type BellhopTarget, type ReadContext, z } from '../../bellhop/bellhop.ts';
import { given, itemCount } from '../../bellhop/parts/report-parts.ts';
import { samePerson } from '../../model/values/actor.ts';
import type { Item, ReportParts } from '../../model/values/report.ts';
import { alertTitle, isHook, ownerKind, ownersNow } from './owner.ts';
import { handBackAction, takeAction } from './render.ts';

const most = { read: 500, listed: 40, linked: 20 } as const;

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
    const firing = all.filter(
      ({ message: { source } }) => isHook(source) && (hook === undefined || source === hook),
    );
    const isOwn = ({ group }: (typeof firing)[number]): boolean =>
      samePerson(owned.get(group.id)?.by ?? { team: '', user: '' }, actor);
    const wanted = mine ? firing.filter(isOwn) : firing;
    const isPrivate = place.channel.startsWith('D') && (await bellhop.holdsARole(actor));
    const here = firing.filter(({ message }) => isPrivate || message.channel === place.channel);
    const seen = wanted.filter((one) => here.includes(one));
    const items = seen.slice(0, most.listed).map(async (one, index): Promise<Item> => {
      const { group, message } = one;
      const owner = owned.get(group.id);
      return {
        title: alertTitle(group.content),
        state: owner ? 'owned' : 'no owner',
        sign: '🔴',
        id: group.id,
        by: owner?.by,
        at: owner?.since ?? group.statusAt,
        channel: message.channel,
        link: index < most.linked ? await bellhop.linkToMessage(message) : undefined,
        buttons: isOwn(one)
          ? [{ action: handBackAction, text: 'Hand back', value: group.id }]
          : [{ action: takeAction, text: owner ? 'Take over' : "I'm on it", value: group.id }],
      };
    });
    return {
      items: await Promise.all(items),
      more: Math.max(0, seen.length - most.listed),
      hidden: wanted.length - seen.length,
      here: here.length,
    };
  },
  report({ items, more, hidden, here: all }, { input: { mine, hook } }): ReportParts {
    const count = items.length + more;
    if (mine && count + hidden === 0)
      return {
        title: 'Alerts',
        headline:
          all === 0
            ? 'You are on none.'
            : `You are on none. ${itemCount(all, 'alert')} ${all === 1 ? 'is' : 'are'} firing.`,
        notes: given(
          all > 0 &&
            `To see ${all === 1 ? 'it' : 'them'}, type /bellhop alerts${hook === undefined ? '' : ` --hook ${hook}`}.`,
        ),
      };
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
