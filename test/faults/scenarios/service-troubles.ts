import type { Around } from '../../program/relay.ts';
import { pause } from '../../harness/world.ts';

/** Every call takes longer, so that work is in progress whenever something happens. */
export const slow =
  (ms: number): Around =>
  async (_, forward) => {
    await pause(ms);
    return forward();
  };

/** How a call ends without its answer. */
type Ending = Awaited<ReturnType<Around>>;

/** No call is answered as it should be. Every other call has taken effect by then. */
export function endsIn(ending: Ending): Around {
  let calls = 0;
  return async (_, forward) => {
    calls += 1;
    if (calls % 2 === 0) await forward();
    return ending;
  };
}

/** Every change and every third read end like this. A change is sent only after its target has been read. */
export function changesEndIn(ending: Ending): Around {
  const trouble = endsIn(ending);
  let reads = 0;
  return (passed, forward) => {
    if (passed.method !== 'GET') return trouble(passed, forward);
    reads += 1;
    return reads % 3 === 0 ? trouble(passed, forward) : forward();
  };
}

export const hanging: Ending = () => undefined;

export const resetting: Ending = ({ socket }) => void socket?.resetAndDestroy();

export const failing: Ending = {
  status: 500,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<h1>Internal Server Error</h1>'),
};

/** Sends the head of an answer, and then a byte now and then, without end. */
export const dripping: Ending = (outgoing) => {
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  const drip = setInterval(() => outgoing.write(' '), 300);
  outgoing.on('close', () => clearInterval(drip));
};
