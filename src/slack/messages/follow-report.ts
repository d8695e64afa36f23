import { recordFollowEnd, refreshReport } from '../../run/run-command.ts';
import type { Caller } from '../../model/actor.ts';
import { BellhopError } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';
import { safeLine } from '../render/escape.ts';
import {
  editFollowed,
  type FollowableReport,
  type FollowedMessage,
  type FollowPorts,
  followForMs,
  followingUntil,
  postFollowed,
  refreshEveryMs,
} from './followed-message.ts';

/** Keeps reports in a channel up to date, each in one message, for a while. Nothing of it survives a restart. */
export interface FollowedReports {
  /**
   * Posts the report in the channel, or the thread, and refreshes it. Resolves when it is posted.
   * @throws BellhopError `busy`, SlackError: then it is not followed
   */
  follow(caller: Caller, report: FollowableReport): Promise<void>;
  /** Every message says that it is followed no longer. */
  stop(): void;
}

const mostAtOnce = 10;

export function createFollowedReports(ports: FollowPorts): FollowedReports {
  const following = new Set<string>();
  const pause = createPause(ports.clock);
  return {
    async follow(caller, report) {
      const { team, channel, thread = '' } = caller.place;
      const key = `${team}/${channel}/${thread} ${report.words}`;
      refuseMore(following, key);
      following.add(key);
      try {
        const message = await postFollowed(ports, caller, report);
        const run = followReport(ports, pause, message).finally(() => following.delete(key));
        ports.backgroundTasks.add(run, `following ${report.words}`);
      } catch (error) {
        following.delete(key);
        throw error;
      }
    },
    stop: () => pause.end(),
  };
}

/** @throws BellhopError `busy` */
function refuseMore(following: ReadonlySet<string>, key: string): void {
  if (following.has(key)) throw new BellhopError('busy', 'This is being followed here already.');
  if (following.size < mostAtOnce) return;
  const text = `${mostAtOnce} answers are being followed already, which is the most. Try again in some minutes.`;
  throw new BellhopError('busy', text, { retryable: true });
}

/** A report that stays the same is shown anew so seldom: Slack takes about 50 edits a minute of one app. */
const sameEveryMs = 30_000;
const lastEditTries = 5;

const refreshHint = 'Press Refresh to look again.';

/** Why a report is no longer followed. */
interface FollowEnd {
  /** For the message. */
  readonly status: string;
  /** For the audit log; undefined where the last round has its entry already. */
  readonly note?: string | undefined;
}

/** Refreshes the message again and again until an end comes; then says which. Never throws. */
async function followReport(ports: FollowPorts, pause: Pause, followed: FollowedMessage): Promise<void> {
  while (!followed.done) {
    const left = followed.until - ports.clock.now();
    const stopped = await pause.wait(Math.min(refreshEveryMs, Math.max(1, left)));
    const end = stopped ? stoppedEnd : await refresh(ports, followed);
    if (end) await finish(ports, pause, followed, end);
    else await showAgain(ports, followed);
  }
}

const stoppedEnd: FollowEnd = {
  status: `Bellhop stops: no longer followed. ${refreshHint}`,
  note: 'followed until Bellhop stopped',
};

/** Runs the command once more, authorized anew. Resolves to why this was the last time; undefined: go on. */
async function refresh(ports: FollowPorts, followed: FollowedMessage): Promise<FollowEnd | undefined> {
  const caller = { ...followed.caller, correlationId: ports.ids.correlation() };
  try {
    const result = await refreshReport(ports.context, caller, followed.words);
    if (result.kind !== 'report')
      return { status: `No longer followed. ${refreshHint}`, note: 'followed until it was no report' };
    const changed = JSON.stringify(result.report) !== JSON.stringify(followed.report);
    followed.report = result.report;
    if (changed) followed.shownAt = 0;
    if (result.follow !== 'waiting') return { status: 'Done: no longer followed.' };
  } catch (error) {
    ports.log.warn({ err: error, correlationId: caller.correlationId }, 'following ended by an error');
    const reason = error instanceof BellhopError ? error.message : 'Something went wrong inside Bellhop.';
    return { status: `No longer followed: ${safeLine(reason, 300)} ${refreshHint}` };
  }
  if (ports.clock.now() < followed.until) return undefined;
  const minutes = followForMs / 60_000;
  return {
    status: `Followed for ${minutes} minutes, and it is not done. ${refreshHint}`,
    note: `followed for ${minutes} minutes`,
  };
}

async function showAgain(ports: FollowPorts, followed: FollowedMessage): Promise<void> {
  if (ports.clock.now() - followed.shownAt < sameEveryMs) return;
  if ((await editFollowed(ports, followed, followingUntil(followed.until))) !== 'gone') return;
  followed.done = true;
  await recordEnd(ports, followed, 'followed until its message was gone');
}

/** The last status must stand there: a message that goes on saying "following" would lie. */
async function finish(
  ports: FollowPorts,
  pause: Pause,
  followed: FollowedMessage,
  { status, note }: FollowEnd,
): Promise<void> {
  followed.done = true;
  if (note !== undefined) await recordEnd(ports, followed, note);
  for (let tries = 1; tries <= lastEditTries; tries += 1) {
    if ((await editFollowed(ports, followed, status)) !== 'later') return;
    if (await pause.wait(refreshEveryMs)) return;
  }
}

const recordEnd = ({ context, ids }: FollowPorts, { caller, words }: FollowedMessage, note: string) =>
  recordFollowEnd(context, { ...caller, correlationId: ids.correlation() }, words, note);

/** Waiting that can be ended for everybody at once. */
interface Pause {
  /** Resolves after `ms` to false, or to true as soon as all waiting was ended. */
  wait(ms: number): Promise<boolean>;
  /** From now on nobody waits any more. */
  end(): void;
}

function createPause(clock: Clock): Pause {
  const waiting = new Set<() => void>();
  let ended = false;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (ended) return resolve(true);
        const over = () => {
          stop();
          waiting.delete(over);
          resolve(ended);
        };
        const stop = clock.every(ms, over);
        waiting.add(over);
      }),
    end() {
      ended = true;
      for (const over of waiting) over();
    },
  };
}
