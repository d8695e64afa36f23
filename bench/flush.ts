import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { median } from './interleave.ts';

/** What a disk that really flushes takes for it at least, in milliseconds: an SSD of a server. */
const believable = 0.2;
const added = 1;

/** Milliseconds that a flush to the disk of `folder` takes: the median of 51 writes of 4 KB. */
function flushTime(folder: string): number {
  const file = openSync(join(folder, 'flushed'), 'w');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: 51 }, () => {
    writeSync(file, page);
    const began = performance.now();
    fdatasyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  return median(times);
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** The flushes of this process: how many there were, and what was added to each. */
export interface Flushes {
  readonly count: () => number;
  /** For the table: what was added to both sides, or nothing. */
  readonly note: string;
  readonly end: () => void;
}

/**
 * Counts the commits of every SQLite connection of this process. Where the disk of `folder` does not flush for real, each
 * commit takes 1 ms longer and blocks for it, as a flush does.
 */
export function watchFlushes(folder: string): Flushes {
  const time = flushTime(folder);
  const late = time < believable ? added : 0;
  // oxlint-disable-next-line typescript/unbound-method -- called with the connection as its this
  const { exec } = DatabaseSync.prototype;
  let commits = 0;
  DatabaseSync.prototype.exec = function slowly(statement) {
    exec.call(this, statement);
    if (statement !== 'commit') return;
    commits += 1;
    if (late > 0) Atomics.wait(nothing, 0, 0, late);
  };
  return {
    count: () => commits,
    note:
      late > 0
        ? `; a flush takes ${time.toFixed(2)} ms here, so ${late} ms is added to each on both sides`
        : '',
    end: () => {
      DatabaseSync.prototype.exec = exec;
    },
  };
}
