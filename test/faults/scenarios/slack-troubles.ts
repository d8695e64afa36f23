import { createDice } from '../../harness/seeded-random.ts';
import type { Answer, Around, Passed } from '../../program/relay.ts';
import type { Replicas } from '../../program/replicas.ts';
import { pause } from '../../harness/world.ts';

/** The subject of Slack's rate limit: posts by channel, the rest by method. */
function rateKey({ path, body }: Passed): string {
  const channel = new URLSearchParams(body.toString()).get('channel') ?? '';
  return path.startsWith('/api/') ? `${path} ${channel}` : 'response_url';
}

const turnedAway = (seconds: number): Answer => ({
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
  body: Buffer.from('{"ok":false,"error":"ratelimited"}'),
});

/** One call of each kind passes in this many seconds. The others get a 429 with that wait, and have no effect. */
export function turnAwayAllBut(oneInSeconds: number): Around {
  const open = new Map<string, number>();
  return async (passed, forward) => {
    const key = rateKey(passed);
    const now = performance.now();
    if (now < (open.get(key) ?? 0)) return turnedAway(oneInSeconds);
    open.set(key, now + oneInSeconds * 1000);
    return forward();
  };
}

const redelivered = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };

/** In milliseconds. A payload may be delivered again this late, or delayed for this long. */
const latestMs = 3000;
const heldMs = 120;

/**
 * Payloads overtake each other, and each is delivered twice: before, together with or after the first delivery, to any
 * replica.
 */
export function outOfOrder({ size, urlOf }: Replicas): Around {
  const dice = createDice(7);
  return async (_, forward) => {
    const again = async (ms: number): Promise<void> => {
      await pause(ms);
      const way = { origin: urlOf(dice.below(size)), headers: redelivered };
      // Slack, too, gives up on a redelivery that is not accepted.
      await forward(way).catch(() => undefined);
    };
    void again(dice.below(latestMs));
    if (dice.chance(0.5)) void again(0);
    if (dice.chance(0.3)) await again(0);
    await pause(dice.below(heldMs));
    return forward();
  };
}
