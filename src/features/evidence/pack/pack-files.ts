import { badInput } from '../../../model/values/errors.ts';

/** The files of a pack, in a folder or in a browser. */
export interface PackFiles {
  /** With `/` between a folder and a file. */
  readonly names: ReadonlySet<string>;
  readonly read: (name: string) => AsyncIterable<Uint8Array>;
}

export interface Line {
  readonly text: string;
  /** The place of the line in its file, and its length without the line break, in bytes. */
  readonly at: number;
  readonly length: number;
}

export interface Lines {
  /** Resolves to undefined at the end. @throws BellhopError `bad-input` */
  next(): Promise<Line | undefined>;
}

/** Bounds a hostile file. Lines of entries have a few thousand bytes. */
const longestLine = 16_000_000;
const longestText = 1_000_000;
const lineBreak = 10;

/** Any bytes that are not the UTF-8 of a text are refused, and so is a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw badInput('It was altered, because it is not UTF-8.', { cause });
  }
}

export function linesOf(files: PackFiles, name: string): Lines {
  const chunks = files.read(name)[Symbol.asyncIterator]();
  let [rest, begin, at]: [Uint8Array, number, number] = [new Uint8Array(), 0, 0];
  return {
    async next() {
      for (;;) {
        const end = rest.indexOf(lineBreak, begin);
        if (end >= 0) {
          const line = { text: decode(rest.subarray(begin, end)), at, length: end - begin };
          at += end - begin + 1;
          begin = end + 1;
          return line;
        }
        const left = rest.subarray(begin);
        const next = await chunks.next();
        if (next.done === true) {
          if (left.length > 0) throw badInput('It was cut off: the last line has no line break.');
          return undefined;
        }
        if (left.length > longestLine) throw badInput('It has a line that is too long.');
        rest = left.length === 0 ? next.value : joined([left, next.value]);
        begin = 0;
      }
    },
  };
}

/** Resolves to a small file. @throws BellhopError `bad-input` */
export async function readText(files: PackFiles, name: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of files.read(name)) {
    parts.push(part);
    length += part.length;
    if (length > longestText) throw badInput('It is too long.');
  }
  return decode(joined(parts));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
