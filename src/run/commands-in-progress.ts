import type { Actor } from '../model/actor.ts';
import { BellhopError } from '../model/errors.ts';

/** Commands and clicks in progress at once, on this replica; past that "busy, try again" beats silence. */
const mostAtOnce = 200;
/** Of these by one person: nobody takes the places of all the others. */
const mostOfOne = 20;

/** Lets work in as long as there is room for it. */
export interface CommandsInProgress {
  /** @throws BellhopError `busy`, before anything of the work was begun */
  run<T>(actor: Actor, work: () => Promise<T>): Promise<T>;
}

export function createCommandsInProgress(): CommandsInProgress {
  const ofPerson = new Map<string, number>();
  let all = 0;
  return {
    async run(actor, work) {
      const person = `${actor.team}/${actor.user}`;
      const own = ofPerson.get(person) ?? 0;
      if (all >= mostAtOnce) throw busy('Too much is going on right now.');
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
