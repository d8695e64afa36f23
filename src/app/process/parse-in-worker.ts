import { fork } from 'node:child_process';
import { extname } from 'node:path';

import { deepFreeze } from '../../config/environment/environment.ts';
import type { RulebookElsewhere, RulebookPlace } from '../../config/rulebook/read-rulebook.ts';
import type { Surroundings } from '../../model/section.ts';
import { ScheduleError, type Shift, type Window } from '../../model/values/on-call.ts';
import type { CalendarAnswer, ParseTask, RulebookAnswer } from './parse-worker.ts';

const entry = new URL(`./parse-worker${extname(import.meta.filename)}`, import.meta.url);

/** Ten thousand instances with a dozen labels each fit into this memory. */
const execArgv = ['--max-old-space-size=256'];
const rulebookWithinMs = 60_000;

/** Like `parseRulebook`, without blocking the event loop. Rejects after a minute, or without enough memory. */
export async function parseRulebookInWorker(
  bytes: Uint8Array,
  place: RulebookPlace,
  surroundings: Surroundings,
  signal?: AbortSignal,
): Promise<RulebookElsewhere> {
  const timeout = AbortSignal.timeout(rulebookWithinMs);
  const bound = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const answer = await ask<RulebookAnswer>({ kind: 'rulebook', bytes, place, surroundings }, bound);
  const { warnings, ...read } = deepFreeze(answer);
  return { ...read, warnings: () => warnings };
}

/** Like `readCalendar`, without blocking the event loop. @throws ScheduleError */
export async function readCalendarInWorker(
  text: string,
  window: Window,
  timeZone: string | undefined,
  signal: AbortSignal,
): Promise<readonly Shift[]> {
  const answer = await ask<CalendarAnswer>({ kind: 'calendar', text, window, timeZone }, signal).catch(
    (error: unknown): CalendarAnswer => ({ problem: 'is not a readable calendar', cause: error }),
  );
  if ('problem' in answer) throw new ScheduleError(answer.problem, { cause: answer.cause });
  return answer.shifts;
}

/**
 * Each task has a process, because a thread's memory would stay with Bellhop. Settings are withheld from the process,
 * because they contain secrets.
 */
async function ask<Answer>(task: ParseTask, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted();
  const worker = fork(entry, { serialization: 'advanced', execArgv, env: {}, stdio: 'ignore' });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.once('message', (answer: Answer) => resolve(answer));
  worker.on('error', reject);
  worker.once('exit', () => reject(new Error('reading it took too much memory, or failed')));
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    worker.send(task);
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    worker.kill('SIGKILL');
  }
}
