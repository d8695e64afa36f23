import { startRelay, type Answer, type Relay } from '../program/relay.ts';
import type { Replicas } from '../program/replicas.ts';

/** As `deploy/nginx.conf` has it: this many replicas are tried. */
const maxTries = 2;

/**
 * Hands each payload to the next replica in turn, and to the one after that if the connection is refused or lost, no answer
 * comes in time, or the replica says that it stops. Remembers no failures.
 * @param withinMs how long to wait for one replica
 */
export async function startBalancer({ size, urlOf }: Replicas, withinMs: number): Promise<Relay> {
  let turns = 0;
  return startRelay(
    () => urlOf(0),
    async (_, forward) => {
      const first = (turns += 1);
      let answer: Answer | undefined;
      for (let tries = 0; tries < maxTries; tries += 1) {
        const origin = urlOf((first + tries) % size);
        answer = await forward({ origin, withinMs }).catch(() => undefined);
        if (answer && answer.status !== 503) return answer;
      }
      return answer ?? 'lost';
    },
  );
}
