import { z } from 'zod';
import { Failure } from '../http/failure.ts';
import type { Row } from '../http/endpoint.ts';

/** What goes wrong with the calls of a row, on purpose. */
export const fault = z.strictObject({
  delay_ms: z.int().min(0).max(600_000).optional().describe('real milliseconds before anything else'),
  status: z.int().min(200).max(599).optional().describe('answer this status'),
  body: z.unknown().optional().describe('answer this JSON'),
  html: z.union([z.boolean(), z.string()]).optional().describe('answer an HTML page'),
  headers: z.record(z.string(), z.string()).optional().describe('answer these headers too'),
  hang: z.boolean().optional().describe('never answer'),
  reset: z.boolean().optional().describe('reset the connection'),
  after: z.boolean().optional().describe('let the call take effect first'),
  times: z.int().min(1).optional().describe('this many calls, then no more'),
});

export type Fault = z.output<typeof fault>;

const rows = z.union([
  z.enum(['read', 'all']),
  z.coerce
    .number()
    .refine((row): row is Exclude<Row, 'read'> => Number.isInteger(row) && row >= 1 && row <= 10),
]);

type FaultKey = Row | 'all';

/** The faults that are switched on, by row. */
export interface Faults {
  /** @throws Failure 404 where there is no such row. */
  put(row: string, fault: Fault): void;
  remove(row: string): void;
  clear(): void;
  list(): Record<string, Fault>;
  /** The fault of one call of this row, which counts as one of its `times`. */
  take(row: Row): Fault | undefined;
}

const keyOf = (row: string): FaultKey => {
  const key = rows.safeParse(row);
  if (!key.success) throw new Failure(404, `${row} is no row: 1 to 10, read or all`);
  return key.data;
};

/** A set of faults, empty at first. */
export const createFaults = (): Faults => {
  const faults = new Map<FaultKey, Fault>();
  return {
    put: (row, added) => {
      faults.set(keyOf(row), added);
    },
    remove: (row) => {
      faults.delete(keyOf(row));
    },
    clear: () => {
      faults.clear();
    },
    list: () => Object.fromEntries([...faults].map(([row, each]) => [String(row), each] as const)),
    take: (row) => {
      const key = faults.has(row) ? row : 'all';
      const taken = faults.get(key);
      if (taken?.times === undefined) return taken;
      if (taken.times > 1) faults.set(key, { ...taken, times: taken.times - 1 });
      else faults.delete(key);
      return taken;
    },
  };
};
