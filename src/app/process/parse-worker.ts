import type { RulebookElsewhere, RulebookPlace } from '../../config/rulebook/read-rulebook.ts';
import { loadRulebook, rulebookLines } from '../../config/rulebook/read-rulebook.ts';
import type { Surroundings } from '../../model/section.ts';
import { operations } from '../../operations/index.ts';
import { reply } from '../../program/worker.ts';

export interface ParseTask {
  readonly bytes: Uint8Array;
  readonly place: RulebookPlace;
  readonly surroundings: Surroundings;
}

/** A function can't be sent. */
export interface RulebookAnswer extends Omit<RulebookElsewhere, 'warnings'> {
  readonly warnings: readonly string[];
}

process.once('message', (task: ParseTask) => void reply(answer(task)));

async function answer({ bytes, place, surroundings }: ParseTask): Promise<RulebookAnswer> {
  const loaded = await loadRulebook(bytes, place, operations, surroundings);
  const { warnings, ...lines } = rulebookLines(loaded);
  return { ...lines, warnings: warnings(), files: loaded.files };
}
