import type { Caller } from '../../core/model/actor.ts';
import { BellhopError } from '../../core/model/errors.ts';
import { createPause, followReport } from './follow-report.ts';
import { type FollowableReport, type FollowerPorts, postFollowed } from './followed-message.ts';

/** Keeps reports in a channel up to date, each in one message, for a while. Nothing of it survives a restart. */
export interface Followers {
  /**
   * Posts the report in the channel and refreshes it. Resolves when it is posted.
   * @throws BellhopError `busy`, SlackError: then it is not followed
   */
  follow(caller: Caller, report: FollowableReport): Promise<void>;
  /** Every message says that it is followed no longer. */
  stop(): void;
}

const mostAtOnce = 10;

export function createFollowers(ports: FollowerPorts): Followers {
  const following = new Set<string>();
  const pause = createPause(ports.clock);
  return {
    async follow(caller, report) {
      const key = `${caller.place.team}/${caller.place.channel} ${report.words}`;
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
  if (following.has(key)) throw new BellhopError('busy', 'This is being followed in this channel already.');
  if (following.size < mostAtOnce) return;
  const text = `${mostAtOnce} answers are being followed already, which is the most. Try again in some minutes.`;
  throw new BellhopError('busy', text, { retryable: true });
}
