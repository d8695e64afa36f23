import { unwatchFile, watchFile } from 'node:fs';
import { basename } from 'node:path';

import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { readSmallFile } from '../../program/files.ts';
import { largestRulebook, rulebookHash, type RulebookLines } from './read-rulebook.ts';

/** In milliseconds. Editors write a file in several steps, so the file is read after this long without changes. */
const quietMs = 150;

/**
 * In milliseconds. The file is checked this often, with links resolved, so that replaced files and swapped folders are
 * noticed. Unlike `fs.watch`, such checks work on network drives and on machines without free watches.
 */
const lookMs = 250;

/**
 * In milliseconds. The program that reads the file may fail for a while, as during `npm ci`. The pause doubles, and the
 * last reading is two minutes after the first.
 */
const firstRetryMs = 2_000;
const mostRetries = 6;

export interface WatchOptions {
  /** Absolute. Undefined for the built-in sample. */
  readonly file: string | undefined;
  readonly awaited?: string | undefined;
  /** Absolute. */
  readonly targetsFile?: string | undefined;
  /** The label is the file's name for findings. Rejects if reading takes too long. */
  readonly parse: (bytes: Uint8Array, label: string, signal: AbortSignal) => Promise<RulebookLines>;
  readonly initial: Rulebook;
  /** The warnings come one per line. */
  readonly onLoaded: (rulebook: Rulebook, warnings: () => readonly string[]) => void;
  /** The previous rules stay in force. The problems come one per line. */
  readonly onRejected: (problems: readonly string[]) => void;
}

export interface RulebookWatch {
  current(): Rulebook;
  /** Reads the file now, as on SIGHUP. Unchanged bytes do nothing. Resolves once the rules are in force or rejected. */
  reload(): Promise<void>;
  close(): void;
}

/** Reads the file again on SIGHUP, and when the file is changed, replaced or relinked. */
export function watchRulebook(options: WatchOptions): RulebookWatch {
  const file = options.file ?? options.awaited;
  if (file === undefined)
    return { current: () => options.initial, reload: () => Promise.resolve(), close() {} };
  let current = options.initial;
  const there = options.file === undefined ? readSmallFile(file, largestRulebook) : undefined;
  let seen = there && 'problem' in there ? there.code : current.policy.hash;
  let quiet: NodeJS.Timeout | undefined;
  let reading = Promise.resolve();
  let retries = 0;
  const closing = new AbortController();

  const readAgain = async (): Promise<void> => {
    const read = await readNow({ file, targetsFile: beside }, seen, options.parse, closing.signal);
    if (read?.isParsed) follow(read.targets?.path);
    const failed = read?.seen.startsWith(unparsed) === true && !closing.signal.aborted;
    if (failed && read.seen !== seen) retries = 0;
    if (failed && retries < mostRetries) soon(firstRetryMs * 2 ** retries++);
    if (!read || read.seen === seen || closing.signal.aborted) return;
    seen = read.seen;
    if (read.rulebook) {
      current = read.rulebook;
      options.onLoaded(current, read.warnings);
    } else {
      options.onRejected(read.problems);
    }
  };
  // Readings run in sequence, so that the later of two readings counts.
  const reload = (): Promise<void> => {
    reading = reading.then(readAgain);
    return reading;
  };
  const reloadNow = (): void => void reload();
  const soon = (ms: number): void => {
    clearTimeout(quiet);
    quiet = setTimeout(reloadNow, ms).unref();
  };
  const changed = (): void => soon(quietMs);
  let beside: string | undefined;
  const follow = (path: string | undefined): void => {
    if (path === beside) return;
    if (beside !== undefined) unwatchFile(beside, changed);
    if (path !== undefined) watchFile(path, { persistent: false, interval: lookMs }, changed);
    beside = path;
    // Catches changes made since the file was read.
    changed();
  };
  follow(options.targetsFile);
  watchFile(file, { persistent: false, interval: lookMs }, changed);
  process.on('SIGHUP', reloadNow);
  changed();
  return {
    current: () => current,
    reload,
    close() {
      closing.abort();
      clearTimeout(quiet);
      process.off('SIGHUP', reloadNow);
      unwatchFile(file, changed);
      if (beside !== undefined) unwatchFile(beside, changed);
    },
  };
}

const unparsed = 'unparsed ';

interface Reading extends RulebookLines {
  /** The hash of the bytes, or the code of why they could not be read. A different value means that the file changed. */
  readonly seen: string;
  readonly isParsed?: true;
}

/**
 * Resolves to undefined if the file is unchanged since `before`, because parsing ten thousand instances takes a second.
 */
async function readNow(
  { file, targetsFile }: { readonly file: string; readonly targetsFile: string | undefined },
  before: string,
  parse: WatchOptions['parse'],
  signal: AbortSignal,
): Promise<Reading | undefined> {
  const label = basename(file);
  const read = readSmallFile(file, largestRulebook);
  if ('problem' in read)
    return { seen: read.code, problems: [`${label} ${read.problem}.`], warnings: () => [] };
  const targets = targetsFile === undefined ? undefined : readSmallFile(targetsFile, largestRulebook);
  const seen = rulebookHash(read.bytes, targets && ('bytes' in targets ? targets.bytes : targets.code));
  if (seen === before) return undefined;
  try {
    const parsed = await parse(read.bytes, label, signal);
    // The targets may have changed since they were read here.
    return { ...parsed, seen: parsed.targets?.hash ?? rulebookHash(read.bytes), isParsed: true };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const problem = `${label} could not be read (${why}). Bellhop tries again for two minutes. If it still fails, make the file smaller, or send SIGHUP.`;
    return { seen: `${unparsed}${seen}`, problems: [problem], warnings: () => [] };
  }
}
