import { reportFault } from '../bellhop/own-hook.ts';
import type { Log } from '../model/ports.ts';
import type { Announce } from './process/logger.ts';
import { flushSpans } from './process/tracing.ts';
import type { Bot } from './wiring.ts';

/** In milliseconds. Closing may take this long after the drain, because the sender of the signal waits 5 s more. */
const closeWithinMs = 4000;

/** In milliseconds. npm forwards a Ctrl-C that the terminal has already sent, so a second SIGINT this soon is the same Ctrl-C. */
const sameCtrlCMs = 500;

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * SIGTERM and SIGINT stop Bellhop cleanly with 0, even during startup. A second signal stops Bellhop immediately. An
 * uncaught error is logged, work is drained, and the process ends with 1. An uncaught error of a file of operations is
 * only reported.
 */
export function stopOnSignals(
  starting: Promise<Bot>,
  log: Log,
  announce: Announce,
  abortStart: () => void,
): void {
  let stoppingSince: number | undefined;
  let running: Bot | undefined;
  const stop = async (exitCode: number): Promise<void> => {
    if (stoppingSince !== undefined) return;
    stoppingSince = performance.now();
    abortStart();
    setTimeout(
      () => {
        log.error({}, 'shutdown took too long; unfinished requests become unknown after their lease');
        process.exit(exitCode);
      },
      (running?.drainMs() ?? 0) + closeWithinMs,
    ).unref();
    try {
      // A failed start has closed everything it opened.
      const bot = await starting.catch(() => undefined);
      await bot?.stop();
      await flushSpans();
    } catch (error) {
      log.error({ err: error }, 'stop failed');
    }
    announce('Bellhop stopped.', () => process.exit(exitCode));
  };
  const onSignal = (signal: keyof typeof exitCodes): void => {
    if (stoppingSince === undefined) {
      announce('Stopping: waiting for running requests. Press Ctrl-C again to stop immediately.');
      return void stop(0);
    }
    if (performance.now() - stoppingSince < sameCtrlCMs) return;
    log.warn({ signal }, 'stopped immediately; unfinished requests become unknown after their lease');
    process.exit(exitCodes[signal]);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const stopAt = (what: string) => (error: unknown) => {
    if (reportFault('escaped', error)) return;
    log.error({ err: error }, `${what}: stopping`);
    void stop(1);
  };
  process.on('uncaughtException', stopAt('uncaught exception'));
  process.on('unhandledRejection', stopAt('unhandled rejection'));
  const watch = async (): Promise<void> => {
    running = await starting;
    log.error({ problem: await running.refused }, 'Slack rejects the bot permanently; check its tokens');
    void stop(1);
  };
  // `main` reports why a start failed.
  watch().catch(() => undefined);
}
