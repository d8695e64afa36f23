import { rescued } from '../../../model/values/errors.ts';
import { type Line, linesOf, type PackFiles } from './pack-files.ts';

export interface Fault {
  /** The file that is not what it was. */
  readonly file: string;
  /** A sentence, which names the entry or row. */
  readonly text: string;
}

/** The lines of a file. What is wrong with it is reported once. */
export interface Lines {
  readonly failed: boolean;
  /** Resolves to undefined at the end of the file, and once it failed. */
  readonly next: () => Promise<Line | undefined>;
  /** Reads no further, because each later line would be a fault, too. */
  readonly fail: (text: string) => undefined;
}

const most = 50;

export type Faults = ReturnType<typeof createFaults>;

/** Collects what is wrong with a pack, each with its file. */
export function createFaults(files: PackFiles) {
  const found: Fault[] = [];
  let more = 0;
  const add = (file: string, text: string): undefined => {
    if (found.length < most) found.push({ file, text });
    else more += 1;
  };
  return {
    found: found as readonly Fault[],
    /** How many further ones are not listed. */
    more: () => more,
    add,
    /** Resolves to undefined if the file is missing, or `work` throws a BellhopError. */
    async in<T>(file: string, work: (name: string) => Promise<T>): Promise<T | undefined> {
      if (!files.names.has(file)) return add(file, 'It is missing.');
      return work(file).catch(rescued(({ message }) => add(file, message)));
    },
    lines(file: string): Lines {
      const parts = linesOf(files, file);
      let [part, at]: [readonly Line[], number] = [[], 0];
      const lines = {
        failed: false,
        async next(): Promise<Line | undefined> {
          for (; at === part.length && !lines.failed; at = 0) {
            const next = await parts.next().catch(rescued(({ message }) => lines.fail(message)));
            if (!next?.value) return undefined;
            part = next.value;
          }
          at += 1;
          return lines.failed ? undefined : part[at - 1];
        },
        fail(text: string): undefined {
          if (!lines.failed) add(file, text);
          lines.failed = true;
        },
      };
      if (!files.names.has(file)) lines.fail('It is missing.');
      return lines;
    },
  };
}
