import { badInput } from '../../../model/values/errors.ts';

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

/** Bounds a hostile file. Lines of entries have a few thousand bytes. */
const longestLine = 16_000_000;
const longestText = 1_000_000;
const lineBreak = 10;

/** Throws for bytes that are not UTF-8. A byte order mark stays in the text, so that the line does not match. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw badInput('It was altered, because it is not UTF-8.', { cause });
  }
}

/**
 * Yields the lines of each chunk together, because a promise for each of a million lines takes too long.
 * @throws BellhopError `bad-input`
 */
export async function* linesOf(files: PackFiles, name: string): AsyncGenerator<readonly Line[], undefined> {
  let [rest, at]: [Uint8Array, number] = [new Uint8Array(), 0];
  for await (const chunk of files.read(name)) {
    const bytes = rest.length === 0 ? chunk : joined(rest, chunk);
    const lines: Line[] = [];
    let begin = 0;
    for (let end = bytes.indexOf(lineBreak); end >= 0; end = bytes.indexOf(lineBreak, begin)) {
      lines.push({ text: decode(bytes.subarray(begin, end)), at: at + begin, length: end - begin });
      begin = end + 1;
    }
    yield lines;
    at += begin;
    rest = bytes.subarray(begin);
    if (rest.length > longestLine) throw badInput('It has a line that is too long.');
  }
  if (rest.length > 0) throw badInput('It was cut off: the last line has no line break.');
}

/** @throws BellhopError `bad-input` if the file is too long, or is not UTF-8 */
export async function readText(files: PackFiles, name: string): Promise<string> {
  let all = new Uint8Array();
  for await (const part of files.read(name)) {
    all = joined(all, part);
    if (all.length > longestText) throw badInput('It is too long.');
  }
  return decode(all);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}

/** NaN if the line does not begin like an entry. */
export const numberOfLine = ({ text }: Line): number =>
  Number(/^\{"number":([1-9]\d{0,15}),/u.exec(text)?.[1]);
