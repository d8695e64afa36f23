import type { Host, OfferPartPorts } from '../../host/feature.ts';
import type { Context } from '../../model/ports.ts';
import type { CardLines } from '../../slack/cards/card-lines.ts';
import type { LastingWork } from '../../model/records/due.ts';
import { isSeveral, targetNames } from '../../model/rulebook/target.ts';
import { type Actor, samePerson } from '../../model/values/actor.ts';
import type { OfferParts } from '../../slack/messages/offers.ts';
import { actions, button, type Message, section, textMessage } from '../../slack/render/blocks.ts';
import { linkAddress, mention, safeLine, slackTime } from '../../slack/render/text.ts';
import { holdsARole } from '../../run/introspect.ts';
import { itemCount } from '../../bellhop/parts/report-parts.ts';
import { listed } from '../../text/words.ts';
import { isHook, onTargets, type Owner, ownerKind, ownerOf, ownersNow } from './owner.ts';

/** The value of these buttons is the group's id. */
export const takeAction = 'owner:take';
export const handBackAction = 'owner:back';

type Owners = Pick<LastingWork, 'lasting'>;
type Rules = Pick<OfferPartPorts, 'offers' | 'rulebook'>;

/** In milliseconds. Undefined if no person may own alerts of this source. */
export const ownedForMs = ({ offers, rulebook }: Rules, source: string): number | undefined =>
  offers.find(({ owns }) => owns(source))?.ownedForMs?.(rulebook(), source);

/**
 * Shows the owner with *Take over*, or *I'm on it* without an owner. All readers see the same. A storm has no owner. A person whose change
 * is under way counts as an owner.
 */
export const ownerParts =
  ({ store, ...rules }: Rules & { readonly store: Owners }): OfferParts =>
  async ({ group, moved, source, openedAt }, { isUnderWay = false }) => {
    if (!group || moved !== undefined || group.status !== 'firing') return [];
    if (ownedForMs(rules, source) === undefined) return [];
    const owner = ownerOf(await store.lasting(ownerKind), group.id);
    if (owner)
      return [
        section(
          ownerText(owner, openedAt),
          button({ text: 'Take over', action: takeAction, value: group.id }),
        ),
      ];
    const take = button({ text: "I'm on it", action: takeAction, value: group.id });
    return isUnderWay ? actions([take]) : [section('No one is on it now.', take)];
  };

/** The owner may not know of a message that was opened later, for example because the alert fires again. */
const ownerText = ({ by, since }: Owner, openedAt: number): string =>
  since < openedAt
    ? `👤 ${mention(by)} was on it before this message (since ${slackTime(since)}).`
    : `👤 ${mention(by)} has been on it since ${slackTime(since)}.`;

export const ownerLines =
  ({ lasting }: Owners): CardLines =>
  async ({ target, requester }) => {
    const names = targetNames(target);
    return ownersNow(await lasting(ownerKind)).flatMap(({ by, since, title, targets }) => {
      const shared = names.filter((name) => targets.includes(name));
      if (samePerson(by, requester) || shared.length === 0) return [];
      const what = isSeveral(target) ? listed(shared) : 'it';
      return [[{ person: by.user }, ` has been on ${what} since `, { at: since }, ` (${title})`]];
    });
  };

const mostOwn = 3;
const mostFiring = 500;

/** The alerts that the reader is on, and, for anyone with a role, how many alerts no one is on. */
export async function homeLines(
  context: Context & Pick<Host, 'store' | 'messages'>,
  reader: Actor,
): Promise<readonly string[]> {
  const { store, messages } = context;
  const [owners, seesAll] = await Promise.all([store.lasting(ownerKind), holdsARole(context, reader)]);
  const all = ownersNow(owners);
  const free = (seesAll ? await store.firingOffers(mostFiring) : []).filter(
    ({ group, message }) => isHook(message.source) && all.every((one) => one.group !== group.id),
  ).length;
  const own = all.filter(({ by }) => samePerson(by, reader));
  const lines = own.slice(0, mostOwn).map(async (one) => {
    const { id = '', channel = '', ts } = (await store.findOfferOfGroup(one.group)) ?? {};
    const link = ts === undefined ? undefined : await messages.link({ id, card: { channel, ts } });
    const what = safeLine(`${one.title}${onTargets(one)}`, 300);
    const open = link === undefined ? '' : ` <${linkAddress(link)}|Open the alert>`;
    return `👤 You have been on *${what}* since ${slackTime(one.since)}.${open}`;
  });
  const more = own.length - mostOwn;
  return [
    ...(await Promise.all(lines)),
    ...(more > 0 ? [`and ${more} more: \`/bellhop alerts --mine\``] : []),
    ...(free > 0 ? [`🔴 No one is on ${itemCount(free, 'firing alert')}. Type \`/bellhop alerts\`.`] : []),
  ];
}

/** The private answer to *I'm on it* and *Take over*. */
export function renderOwn({ group, since }: Owner, disclaimers: readonly string[]): Message {
  const text = `You are on it (since ${slackTime(since)}). Others see it once the alert's message shows your name. If you can't stay on it, press *Hand back*, here or in \`/bellhop alerts\`.`;
  const { blocks } = textMessage(text, disclaimers);
  const back = button({ text: 'Hand back', action: handBackAction, value: group });
  return { text, blocks: [...blocks, { type: 'actions', elements: [back] }] };
}
