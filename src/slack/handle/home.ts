import type { HomeView } from '@slack/types';

import type { Caller } from '../../model/actor.ts';
import { briefUsage } from '../../command/grammar/help.ts';
import { offered } from '../../policy/authorize.ts';
import { openItems, requestItem } from '../../run/items.ts';
import type { Sender } from '../receive/payloads.ts';
import { type SlackContext, callerOf } from '../messages/context.ts';
import type { Item } from '../../model/report.ts';
import { type MessageBlock, contextBlock, header, noticeBlocks, section } from '../render/blocks.ts';
import { code, safeLine } from '../render/text.ts';
import { renderItem } from '../render/item.ts';

/** Shows the Home tab to whoever opened it. It is in no channel: only rules without channels hold there. */
export async function handleHomeOpened(context: SlackContext, sender: Sender | undefined): Promise<void> {
  if (sender) await showHome(context, callerOf(context, sender));
}

const maxRecent = 10;

/** Publishes a person's Home tab as things are now. Never throws: it is only a view. */
export async function showHome(context: SlackContext, caller: Caller): Promise<void> {
  try {
    const { actor, place } = caller;
    const [entries, open, mine] = await Promise.all([
      offered(context, actor, place),
      openItems(context, actor),
      context.store.list({ requester: actor, limit: maxRecent }),
    ]);
    const view = renderHome({
      commands: entries.map((entry) => ({ usage: briefUsage(entry), summary: entry.operation.summary })),
      open,
      recent: mine
        .filter(({ id }) => !open.some((waiting) => waiting.id === id))
        .map((request) => requestItem(context.registry, request)),
      notices: context.notices,
    });
    await context.api.publishHome(actor.user, view);
  } catch (error) {
    context.log.warn({ err: error, user: caller.actor.user }, 'Home tab not published');
  }
}

interface HomeOptions {
  /** What this person may run, as it is typed. */
  readonly commands: readonly { readonly usage: string; readonly summary: string }[];
  /** Mine, those that wait for me, those that are unknown. */
  readonly open: readonly Item[];
  /** Over, newest first. */
  readonly recent: readonly Item[];
  readonly notices: readonly string[];
}

const most = { commands: 30, open: 12, recent: 10 } as const;

/** The Home tab: what waits, what this person may do, what was done. */
export function renderHome({ commands, open, recent, notices }: HomeOptions): HomeView {
  return {
    type: 'home',
    blocks: [
      header('Bellhop'),
      section(
        'Reboot, inspect and change from any channel. Changes follow your rules, run once and are recorded.',
      ),
      ...noticeBlocks(notices),
      header('Open requests'),
      ...itemBlocks(open, most.open, 'Nothing waits.'),
      header('What you may do'),
      ...commandBlocks(commands),
      header('Recent'),
      ...itemBlocks(recent, most.recent, 'Nothing yet.'),
    ],
  };
}

function commandBlocks(commands: HomeOptions['commands']): MessageBlock[] {
  if (commands.length === 0) {
    return [
      section(
        'Nothing outside of channels: type `/bellhop help` in one, or ask whoever keeps `bellhop.yaml` to add you to a role.',
      ),
    ];
  }
  const blocks: MessageBlock[] = [];
  const lines = commands
    .slice(0, most.commands)
    .map(({ usage, summary }) => `${code(usage, 150)} ${safeLine(summary, 120)}`);
  for (let at = 0; at < lines.length; at += 8) blocks.push(section(lines.slice(at, at + 8).join('\n')));
  return [
    ...blocks,
    ...moreNote(commands.length - most.commands, '/bellhop help'),
    contextBlock(['Some channels let you do more: type `/bellhop help` there.']),
  ];
}

/** Inside backquotes a backquote would end them. */
function itemBlocks(items: readonly Item[], limit: number, none: string): MessageBlock[] {
  if (items.length === 0) return [section(none)];
  const blocks = items.slice(0, limit).flatMap((item) => renderItem(item));
  return [...blocks, ...moreNote(items.length - limit, '/bellhop requests')];
}

const moreNote = (left: number, command: string): MessageBlock[] =>
  left > 0 ? [contextBlock([`and ${left} more: \`${command}\``])] : [];
