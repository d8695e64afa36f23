import type { Button, HomeView } from '@slack/types';

import type { Operation } from '../core/operation.ts';
import type { PressAction } from '../core/press-types.ts';
import type { Request } from '../core/request.ts';
import { actions, button, context, header, type MessageBlock, section } from './blocks.ts';
import { deed, stateSigns } from './card-words.ts';
import { clip, safeLine } from './escape.ts';
import { mention } from './mention.ts';
import { noticeLines } from './render-report.ts';
import { slackDateTime } from './slack-time.ts';

/** A request as the Home tab lists it, with the buttons that this person may press. */
export interface HomeRequest {
  readonly request: Request;
  readonly verb: string;
  readonly risk: Operation['risk'];
  readonly buttons: readonly PressAction[];
}

export interface HomeOptions {
  /** What this person may ask for, as it is typed. */
  readonly commands: readonly { readonly usage: string; readonly summary: string }[];
  /** Mine, and those that wait for me. Newest first. */
  readonly open: readonly HomeRequest[];
  /** Over, newest first. */
  readonly recent: readonly HomeRequest[];
  readonly notices: readonly string[];
}

const most = { commands: 30, open: 12, recent: 10 } as const;

/** The Home tab: what waits, what this person may do, what was done. */
export function renderHome({ commands, open, recent, notices }: HomeOptions): HomeView {
  return {
    type: 'home',
    blocks: [
      header('Bellhop'),
      section('Reboot, look up, change: from any channel, confirmed, once, and on the record.'),
      ...(notices.length === 0 ? [] : [context(noticeLines(notices))]),
      header('Open requests'),
      ...requestBlocks(open, most.open, 'Nothing waits.'),
      header('What you may do'),
      ...commandBlocks(commands),
      header('Recent'),
      ...requestBlocks(recent, most.recent, 'Nothing yet.'),
    ],
  };
}

function commandBlocks(commands: HomeOptions['commands']): MessageBlock[] {
  if (commands.length === 0) {
    return [section('Nothing so far: ask whoever keeps `bellhop.yaml` to add you to a role.')];
  }
  const blocks: MessageBlock[] = [];
  const lines = commands
    .slice(0, most.commands)
    .map(({ usage, summary }) => `\`${code(usage)}\` ${safeLine(summary, 120)}`);
  for (let at = 0; at < lines.length; at += 8) blocks.push(section(lines.slice(at, at + 8).join('\n')));
  return [...blocks, ...moreNote(commands.length - most.commands, '/bellhop help')];
}

/** Inside backquotes a backquote would end them. */
const code = (text: string): string => safeLine(text.replaceAll('`', "'"), 150);

function requestBlocks(requests: readonly HomeRequest[], limit: number, none: string): MessageBlock[] {
  if (requests.length === 0) return [section(none)];
  const blocks: MessageBlock[] = [];
  for (const one of requests.slice(0, limit)) {
    blocks.push(section(requestText(one)), ...actions(one.buttons.map((action) => pressButton(one, action))));
  }
  return [...blocks, ...moreNote(requests.length - limit, '/bellhop requests')];
}

const moreNote = (left: number, command: string): MessageBlock[] =>
  left > 0 ? [context([`and ${left} more: \`${command}\``])] : [];

function requestText({ request, verb }: HomeRequest): string {
  const { state, requester, reason, createdAt } = request;
  const why = reason === undefined ? '' : `\n“${safeLine(reason, 200)}”`;
  const title = safeLine(clip(deed(verb, request.target), 200), 300);
  return `${stateSigns[state]} *${title}* ${state}\n${mention(requester)} ${slackDateTime(createdAt)} · ${safeLine(request.id, 60)}${why}`;
}

function pressButton({ request, verb, risk }: HomeRequest, action: PressAction): Button {
  const harms = action === 'confirm' || action === 'approve';
  const style = risk === 'destructive' ? 'danger' : 'primary';
  return button({
    text: action === 'confirm' ? deed(verb, request.target) : buttonTexts[action],
    action,
    value: request.id,
    ...(harms && { style }),
  });
}

const buttonTexts: Readonly<Record<Exclude<PressAction, 'confirm'>, string>> = {
  cancel: 'Cancel',
  approve: 'Approve',
  deny: 'Deny',
};
