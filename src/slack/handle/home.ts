import type { HomeView } from '@slack/types';

import { type Actor, type Caller, sameActor } from '../../model/values/actor.ts';
import { type OpenItems, type Withheld, withheldText } from '../../model/introspection.ts';
import type { Item } from '../../model/values/report.ts';
import { rolesNow } from '../../policy/authorize.ts';
import { anyone, rolesThatAre } from '../../policy/roles.ts';
import type { StateWord } from '../../model/records/request.ts';
import { openItems, requestItem } from '../../run/items.ts';
import type { Standing } from '../../model/restriction.ts';
import { standingNow } from '../../policy/standing.ts';
import type { SlackContext } from '../messages/context.ts';
import {
  actions,
  button,
  contextBlock,
  header,
  disclaimerBlocks,
  renderItem,
  section,
  type MessageBlock,
} from '../render/blocks.ts';
import { mrkdwnParts, safeLine, slackTime } from '../render/text.ts';

const most = { open: 12, recent: 5, lines: 5, roles: 20, standing: 5 } as const;

/** The states in which the requester has nothing to decide. */
const onItsWay: ReadonlySet<string> = new Set<StateWord>(['awaiting approval', 'running']);

/** Never throws, because the Home tab is only a view. */
export async function showHome(context: SlackContext, { actor }: Pick<Caller, 'actor'>): Promise<void> {
  try {
    const [lines, roles, open, mine, standing] = await Promise.all([
      context.homeLines(actor),
      rolesNow(context, actor),
      openItems(context, actor),
      context.store.list({ requester: actor, whole: true, limit: most.recent + most.open }),
      standingNow(context),
    ]);
    const view = renderHome({
      reader: actor,
      roles: [...rolesThatAre('held', roles)].filter((role) => role !== anyone),
      unknownRoles: [...rolesThatAre('unknown', roles)],
      lines,
      open,
      standing,
      recent: mine
        .filter(({ id }) => !open.items.some((waiting) => waiting.id === id))
        .slice(0, most.recent)
        .map((request) => requestItem(context.registry, request)),
      withheld: context.withheld?.(),
      disclaimers: context.disclaimers,
      now: context.clock.now(),
    });
    await context.api.publishHome(actor.user, view);
  } catch (error) {
    context.log.warn({ err: error, user: actor.user }, 'Home tab not published');
  }
}

/** A place that is the person themselves means the Home tab, or a view opened there. */
export const renewHome = async (context: SlackContext, caller: Caller): Promise<void> => {
  if (caller.place.channel === caller.actor.user) await showHome(context, caller);
};

interface HomeOptions {
  readonly reader: Actor;
  /** Without `anyone`. The roles in `unknownRoles` can't be looked up now. */
  readonly roles: readonly string[];
  readonly unknownRoles: readonly string[];
  /** Mrkdwn. */
  readonly lines: readonly string[];
  readonly standing?: readonly Standing[];
  /** The person's own open requests, those that the person can decide on, and unknown outcomes. */
  readonly open: OpenItems;
  /** The person's own, newest first. */
  readonly recent: readonly Item[];
  readonly withheld?: readonly Withheld[] | undefined;
  readonly disclaimers: readonly string[];
  /** In epoch milliseconds. */
  readonly now: number;
}

const homeButtons = [
  button({ text: 'Commands', action: 'home:commands', value: '/bellhop help' }),
  button({ text: 'Last 24 hours', action: 'home:changes', value: '/bellhop audit --last 24h' }),
  button({ text: "Bellhop's health", action: 'home:health', value: '/bellhop status' }),
];

export const homeRefresh = 'home:refresh';
export const homeActions = homeButtons.flatMap(({ action_id: id }) => id ?? []);

export function renderHome(options: HomeOptions): HomeView {
  const {
    reader,
    roles,
    unknownRoles,
    lines,
    standing = [],
    open,
    recent,
    withheld = [],
    disclaimers,
    now,
  } = options;
  const isOnItsWay = ({ state, by }: Item): boolean =>
    onItsWay.has(state) && by !== undefined && sameActor(by, reader);
  const waiting = open.items.filter((item) => !isOnItsWay(item));
  const others = open.items.filter(isOnItsWay);
  const lacking = withheld.map((one) => `⚠️ ${safeLine(withheldText(one), 200)}`);
  return {
    type: 'home',
    blocks: [
      section([...lines.slice(0, most.lines), rolesLine(roles, unknownRoles)].join('\n')),
      ...standingBlocks(standing),
      ...actions([...homeButtons, button({ text: 'Refresh', action: homeRefresh, value: 'home' })]),
      contextBlock([`as of ${slackTime(now)}`]),
      ...(lacking.length === 0 ? [] : [contextBlock(lacking)]),
      ...disclaimerBlocks(disclaimers),
      header('Waiting for you'),
      ...itemBlocks(waiting, most.open, 'No request waits for you.', open.more),
      ...(others.length === 0
        ? []
        : [header('Waiting for others, or running'), ...itemBlocks(others, most.recent)]),
      ...(recent.length === 0 ? [] : [header('Your recent changes'), ...itemBlocks(recent, most.recent)]),
    ],
  };
}

function standingBlocks(standing: readonly Standing[]): MessageBlock[] {
  const lines = standing
    .slice(0, most.standing)
    .map(({ label, said }) => `*${safeLine(label, 60)}:* ${mrkdwnParts(said, 500)}.`);
  const more = standing.length - most.standing;
  if (more > 0) lines.push(`and ${more} more: \`/bellhop policy\``);
  return lines.length === 0 ? [] : [section(lines.join('\n'))];
}

function rolesLine(roles: readonly string[], unknown: readonly string[]): string {
  const held = safeLine(roles.slice(0, most.roles).join(', '), 300);
  const unsure = unknown.length === 0 ? '' : ` Unknown right now: ${safeLine(unknown.join(', '), 300)}.`;
  if (held !== '') return `*Your roles:* ${held}.${unsure}`;
  return unsure === ''
    ? '*Your roles:* none. Ask the owner of `bellhop.yaml` to add you to one.'
    : `*Your roles:*${unsure}`;
}

/** @param unlisted whether there are more requests than `items` */
function itemBlocks(items: readonly Item[], limit: number, none = '', unlisted = false): MessageBlock[] {
  if (items.length === 0 && !unlisted) return [section(none)];
  const left = items.length - limit;
  const count = left > 0 ? `${unlisted ? 'more than ' : ''}${left} more` : 'more';
  return [
    ...items.slice(0, limit).flatMap((item) => renderItem(item)),
    ...(left > 0 || unlisted ? [contextBlock([`and ${count}: \`/bellhop requests\``])] : []),
  ];
}
