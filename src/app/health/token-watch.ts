import type { Log } from '../../model/ports.ts';
import type { Readiness } from './readiness.ts';

/** What Slack says to a token that it no longer takes. */
export const tokenRefusals = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
];

/** The part of `/readyz`. */
export const tokenPart = 'slack token';

/** Notices by any call to Slack that the bot token is refused, and that it is taken again. */
export function createTokenWatch(readiness: Readiness, log: Log): (method: string, outcome: string) => void {
  let refused = false;
  return (method, outcome) => {
    if (tokenRefusals.includes(outcome)) {
      refused = true;
      readiness.set(tokenPart, false, outcome);
      log.error(
        { method, problem: outcome },
        'Slack refuses SLACK_BOT_TOKEN: nobody is answered until it takes it again, or it is replaced',
      );
    } else if (refused && outcome === 'ok' && method !== 'response_url') {
      refused = false;
      readiness.set(tokenPart, true);
      log.info({ method }, 'Slack takes SLACK_BOT_TOKEN again');
    }
  };
}
