import { request } from 'undici';

import { until } from '../until.ts';
import { startRelay } from './relay.ts';
import { exampleRulebook } from './rulebook-text.ts';
import { setStage } from './stage.ts';

/**
 * A bot with 60 s to drain, and a reboot of web-1 that has reached the service. The service does not answer until the
 * test allows it.
 */
export async function changeInFlight() {
  const answered = Promise.withResolvers<undefined>();
  const toService = await startRelay(
    () => stage.service.url,
    async ({ method }, forward) => {
      if (method !== 'GET') await answered.promise;
      return forward();
    },
  );
  const stage = await setStage({
    env: { LOG_LEVEL: 'warn', API_BASE_URL: toService.url },
    rulebook: exampleRulebook({ drain: '60s' }),
    beside: [toService],
  });
  const inState = (state: string) =>
    stage.seen('U0ALICE', ({ text }) => text.includes(`Reboot web-1: ${state}`));
  await stage.say('U0ALICE', '/cloud reboot web-1');
  await stage.press('U0ALICE', await inState('proposed'), 'Reboot web-1');
  await until(() => toService.passed.some(({ method }) => method !== 'GET'));
  return {
    stage,
    /** Waits until the card of the change has this state. */
    inState,
    /** Sends SIGTERM, and waits until /readyz reports the stop. @returns a promise of the exit code */
    async beginStop() {
      const exit = stage.bot.end('SIGTERM');
      await until(async () => {
        // Each request has its own connection, because the stop closes idle connections.
        const ready = await request(`${stage.botUrl}/readyz`, { reset: true });
        await ready.body.dump();
        return ready.statusCode === 503;
      });
      return { exit };
    },
    letAnswer: () => answered.resolve(undefined),
    close: () => stage.close(),
  };
}
