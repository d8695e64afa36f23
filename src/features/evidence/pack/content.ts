import type { PackRow } from './csv.ts';
import type { Faults } from './faults.ts';
import type { Line, PackFiles } from './pack-files.ts';
import type { Seals } from './seals.ts';

export type Mark = 'altered' | 'missing' | 'invented' | 'unverified';

export interface Watch {
  readonly onProgress?: ((done: number, all: number) => unknown) | undefined;
  /** Called with each entry that the checkpoints signed, and what was typed, or ''. */
  readonly onEntry?: ((line: Line, number: number, reason: string) => void) | undefined;
  /** Called with each row as its entries give it. Called with the row in changes.csv if that row has no entries. */
  readonly onRow?: ((row: PackRow, mark?: Mark) => void) | undefined;
}

/** The manifest, keys and checkpoints are verified. The rest is not verified yet. */
export interface Content {
  readonly files: PackFiles;
  readonly seals: Seals;
  readonly faults: Faults;
  readonly watch: Watch;
}

/** In lines or rows. */
export const progressEach = 2000;
