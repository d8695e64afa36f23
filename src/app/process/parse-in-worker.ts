import { extname } from 'node:path';

import { deepFreeze } from '../../config/environment/environment.ts';
import type { RulebookElsewhere, RulebookPlace } from '../../config/rulebook/read-rulebook.ts';
import type { Surroundings } from '../../model/section.ts';
import { askWorker } from '../../program/worker.ts';
import type { ParseTask, RulebookAnswer } from './parse-worker.ts';

const program = new URL(`./parse-worker${extname(import.meta.filename)}`, import.meta.url);

const rulebookWithinMs = 60_000;

/** Unlike `parseRulebook`, does not block the event loop. Rejects after a minute, or without enough memory. */
export async function parseRulebookInWorker(
  bytes: Uint8Array,
  place: RulebookPlace,
  surroundings: Surroundings,
  signal?: AbortSignal,
): Promise<RulebookElsewhere> {
  const timeout = AbortSignal.timeout(rulebookWithinMs);
  const bound = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const task: ParseTask = { bytes, place, surroundings };
  const answer = await askWorker<RulebookAnswer>(program, task, bound);
  const { warnings, ...read } = deepFreeze(answer);
  return { ...read, warnings: () => warnings };
}
