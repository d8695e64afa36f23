import { expect, it } from 'vitest';

import { createReadiness } from '../../src/app/health/readiness.ts';
import { createTokenWatch, tokenPart } from '../../src/app/health/credentials-watch.ts';
import { createDrivenClock } from '../driven-clock.ts';

function stage() {
  const logged: string[] = [];
  const log = {
    info: (_: object, message: string) => void logged.push(`info: ${message}`),
    warn: () => undefined,
    error: (details: object) => void logged.push(`error: ${JSON.stringify(details)}`),
  };
  const readiness = createReadiness(createDrivenClock(), [tokenPart]);
  readiness.set(tokenPart, true);
  return { logged, readiness, watch: createTokenWatch(readiness, log) };
}

it.each(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'])(
  'is not ready, and loud, from %s until a call works again',
  (problem) => {
    const { logged, readiness, watch } = stage();
    watch('chat.update', problem);
    expect(readiness.ready()).toBe(false);
    expect(readiness.parts()[tokenPart]).toMatchObject({ lastError: problem });
    watch('response_url', 'ok');
    expect(readiness.ready()).toBe(false);
    watch('auth.test', 'ok');
    expect(readiness.ready()).toBe(true);
    expect(logged).toEqual([
      `error: {"method":"chat.update","problem":"${problem}"}`,
      'info: Slack takes SLACK_BOT_TOKEN again',
    ]);
  },
);

it.each(['ok', 'ratelimited', 'channel_not_found', 'timeout', 'http_503', 'missing_scope'])(
  'stays ready after %s, which says nothing of the token',
  (outcome) => {
    const { logged, readiness, watch } = stage();
    watch('chat.postMessage', outcome);
    expect(readiness.ready()).toBe(true);
    expect(logged).toEqual([]);
  },
);
