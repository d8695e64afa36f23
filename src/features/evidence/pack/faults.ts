import { BellhopError } from '../../../model/values/errors.ts';
import type { PackFiles } from './pack-files.ts';

export interface Fault {
  /** The file that is not what it was. */
  readonly file: string;
  /** A sentence, which names the entry or row. */
  readonly text: string;
}

export interface Faults {
  readonly found: readonly Fault[];
  /** How many further ones are not listed. */
  readonly more: number;
  /** Returns undefined. */
  add(file: string, text: string): undefined;
  /** Resolves to undefined if the file is missing, or `work` throws a BellhopError. */
  in<T>(file: string, work: (name: string) => Promise<T>): Promise<T | undefined>;
}

const most = 50;

/** Collects what is wrong with a pack, each with its file. */
export function createFaults({ names }: Pick<PackFiles, 'names'>): Faults {
  const found: Fault[] = [];
  let more = 0;
  return {
    found,
    get more() {
      return more;
    },
    add(file, text) {
      if (found.length < most) found.push({ file, text });
      else more += 1;
      return undefined;
    },
    async in(file, work) {
      if (!names.has(file)) return this.add(file, 'It is missing.');
      try {
        return await work(file);
      } catch (error) {
        if (!(error instanceof BellhopError)) throw error;
        return this.add(file, error.message);
      }
    },
  };
}
