import type { Caller } from '../../core/model/actor.ts';
import { BellhopError } from '../../core/model/errors.ts';
import { type Followed, type FollowerPorts, followReport, postFollowed } from './follow-report.ts';
import { createPause } from './pause.ts';

/** Keeps answers in a channel up to date, each in one message, for a while. Nothing of it survives a restart. */
export interface Followers {
  /**
   * Posts the answer in the channel and goes on looking. Resolves when it is posted.
   * @throws BellhopError `busy`, SlackError: then it is not followed
   */
  follow(caller: Caller, answer: Followed): Promise<void>;
  /** Every message says that it is followed no longer. */
  stop(): void;
}

const mostAtOnce = 10;

export function createFollowers(ports: FollowerPorts): Followers {
  const following = new Set<string>();
  const pause = createPause(ports.clock);
  return {
    async follow(caller, answer) {
      const key = `${caller.place.team}/${caller.place.channel} ${answer.words}`;
      refuseMore(following, key);
      following.add(key);
      try {
        const message = await postFollowed(ports, caller, answer);
        const run = followReport(ports, pause, message).finally(() => following.delete(key));
        ports.backgroundTasks.add(run, `following ${answer.words}`);
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
