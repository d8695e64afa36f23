import type { Caller } from '../../core/model/actor.ts';
import type { CommandResult } from '../../core/command/run-command.ts';
import { BellhopError } from '../../core/model/errors.ts';
import type { Bellhop } from '../../core/bellhop.ts';
import type { BackgroundTasks } from '../../core/background-tasks.ts';
import type { Clock, Ids, Log } from '../../core/model/ports.ts';
import type { Report } from '../../core/model/report.ts';
import type { Card } from '../../core/request/request.ts';
import { safeLine } from '../render/escape.ts';
import type { Pause } from './pause.ts';
import { withPlainBlocks } from '../render/plain-blocks.ts';
import { renderReport } from '../render/report/report.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { SlackError } from '../web-api/slack-error.ts';
import { slackTime } from '../render/text.ts';

/** An answer whose command asked for it to be looked at again and again. */
export type Followed = Extract<CommandResult, { kind: 'report' }> & { readonly words: string };

export interface FollowerPorts {
  readonly bellhop: Pick<Bellhop, 'runTypedCommand'>;
  /** The lane for what nobody waits for. */
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly backgroundTasks: BackgroundTasks;
  readonly notices: readonly string[];
}

const lookEveryMs = 5_000;
const followForMs = 10 * 60_000;
/** An answer that stays the same is shown anew so seldom: Slack takes about 50 edits a minute of one app. */
const sameEveryMs = 30_000;
const lastEditTries = 5;

const refreshHint = 'Press Refresh to look again.';

/** A message that is being kept up to date. */
export interface FollowedMessage {
  readonly caller: Caller;
  readonly words: string;
  readonly card: Card;
  /** Epoch milliseconds. */
  readonly until: number;
  report: Report;
  shownAt: number;
  done: boolean;
}

/** Posts the answer where it was asked for. @throws SlackError */
export async function postFollowed(
  ports: FollowerPorts,
  caller: Caller,
  { report, words, follow }: Followed,
): Promise<FollowedMessage> {
  const now = ports.clock.now();
  const done = follow !== 'waiting';
  const until = now + followForMs;
  const kept = { caller, words, until, report, shownAt: now, done };
  const status = done ? 'What it waits for is there already: not followed.' : followingUntil(until);
  const card = await withPlainBlocks(
    caller.place.team,
    ports.clock,
    rendering(ports, kept, status),
    (message) => ports.api.postMessage(caller.place.channel, message),
  );
  return { ...kept, card };
}

const followingUntil = (until: number): string =>
  `👀 Following until ${slackTime(until)}: looked at every ${lookEveryMs / 1000} s.`;

/** Looks again and again, and edits the message, until an end comes; then says which. Never throws. */
export async function followReport(ports: FollowerPorts, pause: Pause, kept: FollowedMessage): Promise<void> {
  while (!kept.done) {
    const ended = await pause.wait(Math.min(lookEveryMs, Math.max(1, kept.until - ports.clock.now())));
    const end = ended ? `Bellhop stops: no longer followed. ${refreshHint}` : await refresh(ports, kept);
    if (end === undefined) await showAgain(ports, kept);
    else await showFinal(ports, pause, kept, end);
  }
}

/** Looks once more, judged anew. Resolves to why this was the last look; undefined: go on. */
async function refresh(ports: FollowerPorts, kept: FollowedMessage): Promise<string | undefined> {
  const [command = '', ...rest] = kept.words.split(' ');
  const caller = { ...kept.caller, correlationId: ports.ids.correlation() };
  try {
    const answer = await ports.bellhop.runTypedCommand(caller, command.slice(1), rest.join(' '));
    if (answer.kind !== 'report') return `No longer followed. ${refreshHint}`;
    const changed = JSON.stringify(answer.report) !== JSON.stringify(kept.report);
    kept.report = answer.report;
    if (changed) kept.shownAt = 0;
    if (answer.follow !== 'waiting') return 'Done: no longer followed.';
  } catch (error) {
    ports.log.warn({ err: error, words: kept.words }, 'following ended by an error');
    const reason = error instanceof BellhopError ? error.message : 'Something went wrong inside Bellhop.';
    return `No longer followed: ${safeLine(reason, 300)} ${refreshHint}`;
  }
  const minutes = followForMs / 60_000;
  return ports.clock.now() < kept.until
    ? undefined
    : `Followed for ${minutes} minutes, and it is not done. ${refreshHint}`;
}

async function showAgain(ports: FollowerPorts, kept: FollowedMessage): Promise<void> {
  if (ports.clock.now() - kept.shownAt < sameEveryMs) return;
  kept.done = (await show(ports, kept, followingUntil(kept.until))) === 'gone';
}

/** The last word must stand there: a message that goes on saying "following" would lie. */
async function showFinal(
  ports: FollowerPorts,
  pause: Pause,
  kept: FollowedMessage,
  status: string,
): Promise<void> {
  kept.done = true;
  for (let tries = 1; tries <= lastEditTries; tries += 1) {
    if ((await show(ports, kept, status)) !== 'later') return;
    if (await pause.wait(lookEveryMs)) return;
  }
}

/** `gone`: the message can never be edited again. `later`: it could not now. */
async function show(
  ports: FollowerPorts,
  kept: FollowedMessage,
  status: string,
): Promise<'shown' | 'later' | 'gone'> {
  try {
    await withPlainBlocks(kept.caller.place.team, ports.clock, rendering(ports, kept, status), (message) =>
      ports.api.updateMessage(kept.card, message),
    );
    kept.shownAt = ports.clock.now();
    return 'shown';
  } catch (error) {
    ports.log.warn({ err: error, words: kept.words }, 'a followed answer could not be edited');
    return error instanceof SlackError && error.retryable ? 'later' : 'gone';
  }
}

const rendering =
  (ports: FollowerPorts, { report, words }: Pick<FollowedMessage, 'report' | 'words'>, status: string) =>
  (modern: boolean) =>
    renderReport(report, {
      words,
      shareable: false,
      modern,
      now: ports.clock.now(),
      status,
      notices: ports.notices,
    });
