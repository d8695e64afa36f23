import type { Log } from '../core/ports.ts';
import type { Bot } from './start-bot.ts';

/** After the drain, and before the 5 s more that whoever sent the signal waits. In milliseconds. */
const closeWithinMs = 4000;

/** SIGTERM and SIGINT stop cleanly with 0; what nobody caught is logged, drained and ends with 1. */
export function stopOnSignals(bot: Bot, log: Log): void {
  let stopping = false;
  const stop = (exitCode: number): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      log.error({}, 'stopping took too long; what still ran becomes unknown after its lease');
      process.exit(exitCode);
    }, bot.drainMs() + closeWithinMs).unref();
    bot
      .stop()
      .catch((error: unknown) => log.error({ err: error }, 'stopping broke off'))
      .finally(() => process.exit(exitCode));
  };
  const onRefused = async (): Promise<void> => {
    log.error({ problem: await bot.refused }, 'Slack refuses the bot for good: check its tokens');
    stop(1);
  };
  void onRefused();
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'uncaught: stopping');
    stop(1);
  });
  process.on('unhandledRejection', (error) => {
    log.error({ err: error }, 'unhandled rejection: stopping');
    stop(1);
  });
}
