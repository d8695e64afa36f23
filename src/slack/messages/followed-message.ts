import type { Context } from '../../model/context.ts';
import type { BackgroundTasks, Clock, Ids, Log } from '../../model/ports.ts';
import type { CommandResult } from '../../run/run-command.ts';
import type { Caller } from '../../model/actor.ts';
import type { Report } from '../../model/report.ts';
import { withPlainBlocks } from '../web-api/plain-blocks.ts';
import { renderReport } from '../render/report/report.ts';
import { slackTime } from '../render/text.ts';
import type { MessageRef, SlackApi } from '../web-api/slack-api.ts';
import { SlackError } from '../web-api/slack-error.ts';

/** A report that its command keeps up to date. */
export type FollowableReport = Extract<CommandResult, { kind: 'report' }> & { readonly words: string };

export interface FollowPorts {
  readonly context: Context;
  /** The lane for what nobody waits for. */
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly backgroundTasks: BackgroundTasks;
  readonly notices: readonly string[];
}

export const refreshEveryMs = 5_000;
export const followForMs = 10 * 60_000;

/** A message that is being kept up to date. */
export interface FollowedMessage {
  readonly caller: Caller;
  readonly words: string;
  readonly card: MessageRef;
  /** Epoch milliseconds. */
  readonly until: number;
  report: Report;
  shownAt: number;
  done: boolean;
}

/** Posts the report in the place of its command. @throws SlackError */
export async function postFollowed(
  ports: FollowPorts,
  caller: Caller,
  { report, words, follow }: FollowableReport,
): Promise<FollowedMessage> {
  const now = ports.clock.now();
  const done = follow !== 'waiting';
  const until = now + followForMs;
  const unposted = { caller, words, until, report, shownAt: now, done };
  const status = done ? 'What it waits for is there already: not followed.' : followingUntil(until);
  const card = await withPlainBlocks(
    caller.place.team,
    ports.clock,
    rendering(ports, unposted, status),
    (message) => ports.api.postMessage(caller.place.channel, message, caller.place.thread),
  );
  return { ...unposted, card };
}

export const followingUntil = (until: number): string =>
  `👀 Following until ${slackTime(until)}: looked at every ${refreshEveryMs / 1000} s.`;

/** Edits the message. `gone`: it can never be edited again. `later`: it could not be now. Never throws. */
export async function editFollowed(
  ports: FollowPorts,
  followed: FollowedMessage,
  status: string,
): Promise<'shown' | 'later' | 'gone'> {
  try {
    await withPlainBlocks(
      followed.caller.place.team,
      ports.clock,
      rendering(ports, followed, status),
      (message) => ports.api.updateMessage(followed.card, message),
    );
    followed.shownAt = ports.clock.now();
    return 'shown';
  } catch (error) {
    ports.log.warn(
      { err: error, correlationId: followed.caller.correlationId },
      'a followed report could not be edited',
    );
    return error instanceof SlackError && error.retryable ? 'later' : 'gone';
  }
}

const rendering =
  (ports: FollowPorts, { report, words }: Pick<FollowedMessage, 'report' | 'words'>, status: string) =>
  (modern: boolean) =>
    renderReport(report, {
      words,
      shareable: false,
      modern,
      now: ports.clock.now(),
      status,
      notices: ports.notices,
    });
