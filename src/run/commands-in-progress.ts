import type { Actor } from '../model/values/actor.ts';
import { BellhopError } from '../model/values/errors.ts';

/** Most commands and clicks in progress on this replica. Beyond that, "busy, try again" is better than silence. */
const mostAtOnce = 200;
/** Most of them by one person, so that no one blocks everyone else. */
const mostOfOne = 20;

/** Admits work while there is room. */
export interface CommandsInProgress {
  /** @throws BellhopError `busy` before the work starts */
  run<T>(actor: Actor, work: () => Promise<T>): Promise<T>;
}

export function createCommandsInProgress(): CommandsInProgress {
  const ofPerson = new Map<string, number>();
  let all = 0;
  return {
    async run(actor, work) {
      const person = `${actor.team}/${actor.user}`;
      const own = ofPerson.get(person) ?? 0;
      if (all >= mostAtOnce) throw busy('Bellhop is overloaded.');
      if (own >= mostOfOne) throw busy(`You already have ${own} commands in progress.`);
      all += 1;
      ofPerson.set(person, own + 1);
      try {
        return await work();
      } finally {
        all -= 1;
        const left = (ofPerson.get(person) ?? 1) - 1;
        if (left === 0) ofPerson.delete(person);
        else ofPerson.set(person, left);
      }
    },
  };
}

const busy = (why: string): BellhopError =>
  new BellhopError('busy', `${why} Try again in a moment. Nothing was done.`, { retryable: true });
