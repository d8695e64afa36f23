import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { median } from './interleave.ts';

/** The least that a real flush takes, in milliseconds: on a server's SSD. */
const believable = 0.2;
const added = 1;

/** How long a flush to the disk of `folder` takes, in milliseconds: the median of 51 writes of 4 KB. */
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

/** The delay added to each flush on both sides of a comparison, in milliseconds, and its text in the table. */
export interface FlushDelay {
  readonly ms: number;
  readonly note: string | undefined;
}

/** 1 ms if the disk of `folder` does not really flush, else none. */
export function flushDelay(folder: string): FlushDelay {
  const time = flushTime(folder);
  if (time >= believable) return { ms: 0, note: undefined };
  return {
    ms: added,
    note: `a flush takes ${time.toFixed(2)} ms here, so ${added} ms is added to each on both sides`,
  };
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this process, as a flush does. */
function block(ms: number): void {
  if (ms > 0) Atomics.wait(nothing, 0, 0, ms);
}

/** Slows down and reports each commit of every SQLite connection of this process. Returns a function that ends this. */
export function delayCommits(ms: number, onCommit: () => void): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the connection as its this
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function slowly(statement) {
    exec.call(this, statement);
    if (statement !== 'commit') return;
    block(ms);
    onCommit();
  };
  return () => {
    DatabaseSync.prototype.exec = exec;
  };
}
