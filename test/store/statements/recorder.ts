import { DatabaseSync } from 'node:sqlite';

import { Client } from 'pg';
import { onTestFinished, vi } from 'vitest';

import type { InTurn } from './turns.ts';

export interface Recorded {
  readonly text: string;
  /** Undefined for a statement without values, such as `commit`. */
  readonly values: readonly unknown[] | undefined;
}

export interface Recorder {
  /** The statements since the last call, in order. Each is one round trip. */
  readonly taken: () => readonly Recorded[];
  /** The number of statements in progress. */
  readonly underWay: () => number;
  /** From now on, statements are sent one at a time. */
  readonly askInTurn: (inTurn: InTurn) => void;
}

/** The beginning of a statement of the test itself. */
export const unrecorded = '-- of the test\n';

const isText = (asked: unknown): asked is { readonly text: string; readonly values?: readonly unknown[] } =>
  typeof asked === 'object' && asked !== null && 'text' in asked && typeof asked.text === 'string';

/** Records what all connections of this process to PostgreSQL send, until the test has finished. */
export function recordPostgres(): Recorder {
  const original: (this: Client, asked: unknown, ...values: readonly unknown[]) => unknown =
    // oxlint-disable-next-line typescript/unbound-method -- called with its client below
    Client.prototype.query;
  let inTurn: InTurn | undefined;
  const query = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    asked: unknown,
    ...values: readonly unknown[]
  ) {
    const ask = (): unknown => original.call(this, asked, ...values);
    return inTurn && !String(asked).startsWith(unrecorded) ? inTurn(async () => ask()) : ask();
  });
  onTestFinished(() => query.mockRestore());
  let ended = 0;
  const counted = new Set<unknown>();
  const count = () => {
    for (const { value } of query.mock.results) {
      if (counted.has(value) || !(value instanceof Promise)) continue;
      counted.add(value);
      const end = () => void (ended += 1);
      value.then(end, end);
    }
    return counted.size - ended;
  };
  let from = 0;
  return {
    underWay: count,
    askInTurn: (by) => void (inTurn = by),
    taken() {
      const calls = query.mock.calls.slice(from);
      from = query.mock.calls.length;
      const asked = calls.map(([one]: readonly unknown[]) =>
        isText(one) ? { text: one.text, values: one.values } : { text: String(one), values: undefined },
      );
      // A new connection sets these first.
      return asked.filter(({ text }) => !text.startsWith('set ') && !text.startsWith(unrecorded));
    },
  };
}

/** Records each write lock of an embedded store, until the test has finished. */
export function recordLocks(): () => number {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => exec.mockRestore());
  return () => {
    const locks = exec.mock.calls.filter(([text]) => text === 'begin immediate').length;
    exec.mockClear();
    return locks;
  };
}
