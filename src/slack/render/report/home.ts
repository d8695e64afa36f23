import type { HomeView } from '@slack/types';

import type { Item } from '../../../model/report.ts';
import { contextBlock, header, noticeBlocks, section, type MessageBlock } from '../blocks.ts';
import { code, safeLine } from '../escape.ts';
import { renderItem } from '../item.ts';

export interface HomeOptions {
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
