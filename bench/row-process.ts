import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { z } from 'zod';

import { comparison, type Comparison } from './comparison.ts';
import { progress } from './measure/progress.ts';

/** Milliseconds. */
const progressEvery = 10_000;
const graceMs = 5_000;

/**
 * Runs a row in its own process. Its programs are in a process group that ends with it.
 * @throws Error that says why there are no figures, even after `withinMs`
 */
export async function measureInProcess(
  row: string,
  withinMs: number,
  say: (line: string) => void,
): Promise<readonly Comparison[]> {
  const child = fork(join(import.meta.dirname, 'run-row.ts'), [row], {
    execArgv: ['--expose-gc'],
    detached: true,
  });
  const interrupted = (): void => {
    end(child, 'SIGTERM');
    process.exit(130);
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  let figures: unknown;
  const began = performance.now();
  let said = began;
  child.on('message', (message) => {
    const { data } = progress.safeParse(message);
    if (!data) figures = message;
    else if (performance.now() - said > progressEvery) {
      said = performance.now();
      say(`  ${row}: round ${data.round} of ${data.of}, ${((said - began) / 1000).toFixed(0)} s`);
    }
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end(child, 'SIGTERM');
    // PostgreSQL of a row stops in an orderly way, if it can.
    setTimeout(() => end(child, 'SIGKILL'), graceMs).unref();
  }, withinMs);
  const [code, signal] = z
    .tuple([z.number().nullable(), z.string().nullable()])
    .parse(await once(child, 'exit'));
  clearTimeout(timer);
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  end(child, 'SIGKILL');
  if (figures !== undefined) return readFigures(figures);
  if (late) throw new Error(`stopped after ${(withinMs / 1000).toFixed(0)} s`);
  throw new Error(`it exited with ${signal ?? `code ${code}`} and no figures`);
}

/** A value that is not a number comes from a round that did nothing. */
function readFigures(figures: unknown): readonly Comparison[] {
  const { data } = z.array(comparison).safeParse(figures);
  if (!data) throw new Error('some figures are not numbers, because the machine is too busy');
  return data;
}

/** The row and all processes that it started. */
function end({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    // Its process group is empty.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
