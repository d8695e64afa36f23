import { createHash } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { basename } from 'node:path';

import type { Rulebook } from '../../model/rulebook.ts';
import { readSmallFile } from '../../program/files.ts';
import { largestRulebook, type RulebookLines } from './read-rulebook.ts';

/** Editors write a file in several steps; it is read when it was left alone for so long. */
const quietMs = 150;

/**
 * So often the file's state is looked at. The state is that of where links lead now, so a replaced file and a swapped
 * folder count; and neither a network drive nor a machine without watches left goes unnoticed, as with `fs.watch`.
 */
const lookMs = 250;

export interface WatchOptions {
  /** Absolute path of the file that `initial` was read from; undefined for the built-in sample. */
  readonly file: string | undefined;
  /** Where a file may appear that takes the place of the sample. */
  readonly awaited?: string | undefined;
  /** Called at each reading of something new, with how problems call the file. Rejects where it takes too much. */
  readonly parse: (bytes: Uint8Array, label: string, signal: AbortSignal) => Promise<RulebookLines>;
  /** The rules read from the file at the start. */
  readonly initial: Rulebook;
  /** A new file was read and is in force. Its warnings, a line each. */
  readonly onLoaded: (rulebook: Rulebook, warnings: readonly string[]) => void;
  /** The file as it is now is broken; what was in force stays. A line each. */
  readonly onRejected: (problems: readonly string[]) => void;
}

export interface RulebookWatch {
  /** The rules of this moment. */
  current(): Rulebook;
  /** Reads the file now, as on SIGHUP. The same bytes as last time are no news. Resolves once they are in force or rejected. */
  reload(): Promise<void>;
  close(): void;
}

/** Keeps the rules those of the file: read again when it changes, is replaced or relinked, and on SIGHUP. */
export function watchRulebook(options: WatchOptions): RulebookWatch {
  const file = options.file ?? options.awaited;
  if (file === undefined)
    return { current: () => options.initial, reload: () => Promise.resolve(), close() {} };
  let current = options.initial;
  const there = options.file === undefined ? readSmallFile(file, largestRulebook) : undefined;
  let seen = there && 'problem' in there ? there.problem : current.policy.hash;
  let quiet: NodeJS.Timeout | undefined;
  let reading = Promise.resolve();
  const closing = new AbortController();

  const readAgain = async (): Promise<void> => {
    const read = await readNow(file, seen, options.parse, closing.signal);
    if (!read || read.seen === seen || closing.signal.aborted) return;
    seen = read.seen;
    if (read.rulebook) {
      current = read.rulebook;
      options.onLoaded(current, read.warnings);
    } else {
      options.onRejected(read.problems);
    }
  };
  // One after the other: of two readings the later one counts.
  const reload = (): Promise<void> => {
    clearTimeout(quiet);
    reading = reading.then(readAgain);
    return reading;
  };
  const reloadNow = (): void => void reload();
  const soon = (): void => {
    clearTimeout(quiet);
    quiet = setTimeout(reloadNow, quietMs).unref();
  };
  watchFile(file, { persistent: false, interval: lookMs }, soon);
  process.on('SIGHUP', reloadNow);
  // What changed between the first reading and now would otherwise go unnoticed.
  soon();
  return {
    current: () => current,
    reload,
    close() {
      closing.abort();
      clearTimeout(quiet);
      process.off('SIGHUP', reloadNow);
      unwatchFile(file, soon);
    },
  };
}

interface Reading extends RulebookLines {
  /** The hash of the bytes, or why they were not read: tells whether anything is new. */
  readonly seen: string;
}

/** Undefined where it is as it was `before`: ten thousand instances take a second to parse. */
async function readNow(
  file: string,
  before: string,
  parse: WatchOptions['parse'],
  signal: AbortSignal,
): Promise<Reading | undefined> {
  const label = basename(file);
  const read = readSmallFile(file, largestRulebook);
  if ('problem' in read) return { seen: read.problem, problems: [`${label} ${read.problem}.`], warnings: [] };
  const seen = createHash('sha256').update(read.bytes).digest('hex');
  if (seen === before) return undefined;
  try {
    return { seen, ...(await parse(read.bytes, label, signal)) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const problem = `${label} could not be read (${why}): make it smaller, or send SIGHUP to have it read again.`;
    return { seen: `${seen}: ${problem}`, problems: [problem], warnings: [] };
  }
}
