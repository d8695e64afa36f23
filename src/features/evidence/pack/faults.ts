import { rescued } from '../../../model/values/errors.ts';
import { type Line, linesOf, type PackFiles } from './pack-files.ts';

export interface Fault {
  readonly file: string;
  /** Names the entry or row. */
  readonly text: string;
}

/** Only the first fault of the file is reported. */
export interface Lines {
  readonly failed: boolean;
  /** Resolves to undefined at the end of the file, and after a fault. */
  readonly next: () => Promise<Line | undefined>;
  /** Reports a fault and stops reading, because each later line would be a fault, too. */
  readonly fail: (text: string) => undefined;
}

const most = 50;

export type Faults = ReturnType<typeof createFaults>;

export function createFaults(files: PackFiles) {
  const found: Fault[] = [];
  let more = 0;
  const add = (file: string, text: string): undefined => {
    if (found.length < most) found.push({ file, text });
    else more += 1;
  };
  return {
    found: found as readonly Fault[],
    more: () => more,
    add,
    /** A missing file, or a BellhopError that `work` throws, is a fault. Then resolves to undefined. */
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
