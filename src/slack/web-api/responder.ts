import { type ResponseAnswer, respondTo, type ResponseUrlPorts } from './response-url.ts';
import { SlackError } from './slack-error.ts';

/** Milliseconds between the tries. Together longer than most of Slack's bad moments, and as often as Slack lets us. */
const pausesMs = [1_000, 4_000, 10_000, 20_000];

/** Nobody waits for longer than this for a rate limit to pass, in seconds. */
const longestRetryAfter = 60;

/** Answers that wait for their next try; what is more is given up at once, or what is new would find no room. */
const mostWaiting = 200;

export type Responder = (url: string, answer: ResponseAnswer) => Promise<void>;

/**
 * Answers through a `response_url`, for half a minute if it must be: nobody else keeps a private answer. One that Slack took
 * without saying so is seen twice, which does no harm. @throws SlackError of the last try
 */
export function createResponder(ports: ResponseUrlPorts): Responder {
  let waiting = 0;
  return async (url, answer) => {
    for (const pause of pausesMs) {
      try {
        return await respondTo(ports, url, answer);
      } catch (error) {
        const seconds =
          error instanceof SlackError && error.retryable ? (error.retryAfterSeconds ?? 0) : Infinity;
        if (seconds > longestRetryAfter || waiting >= mostWaiting) throw error;
        waiting += 1;
        await ports.clock.wait(Math.max(pause, seconds * 1_000));
        waiting -= 1;
      }
    }
    return respondTo(ports, url, answer);
  };
}
