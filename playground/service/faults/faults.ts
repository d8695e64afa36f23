import { z } from 'zod';
import { Failure } from '../http/failure.ts';
import { endpoints } from '../endpoints/index.ts';

/** The configured faults of an endpoint's calls. */
export const fault = z.strictObject({
  delay_ms: z
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe('real milliseconds before anything else, or until the fault is switched off'),
  status: z.int().min(200).max(599).optional().describe('answer this status'),
  body: z.unknown().optional().describe('answer this JSON'),
  html: z.union([z.boolean(), z.string()]).optional().describe('answer an HTML page'),
  headers: z.record(z.string(), z.string()).optional().describe('answer these headers too'),
  hang: z.boolean().optional().describe('never answer'),
  reset: z.boolean().optional().describe('reset the connection'),
  task_error: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('the task that the call starts ends in ERROR with this text'),
  after: z.boolean().optional().describe('let the call take effect first'),
  times: z.int().min(1).optional().describe('number of calls that the fault affects'),
});

export type Fault = z.output<typeof fault>;

const names = new Set(['all', ...endpoints.map(({ name }) => name)]);

/** The active faults, by the name of an endpoint. `all` is for endpoints without their own fault. */
export interface Faults {
  /** @throws Failure 404 if there is no such endpoint. */
  put(name: string, fault: Fault): void;
  remove(name: string): void;
  clear(): void;
  list(): Record<string, Fault>;
  /** The fault of one call of this endpoint, which counts as one of its `times`. */
  take(name: string): TakenFault | undefined;
}

interface TakenFault {
  readonly fault: Fault;
  /** Fires when the fault is replaced or switched off. */
  readonly over: AbortSignal;
}

const checkName = (name: string): void => {
  if (!names.has(name)) throw new Failure(404, `There is no endpoint ${name}: ${[...names].join(', ')}`);
};

/** A set of faults, empty at first. */
export const createFaults = (): Faults => {
  const faults = new Map<string, Fault>();
  /** Kept after the last call of a fault, because a call may still be waiting. */
  const ends = new Map<string, AbortController>();
  const remove = (name: string): void => {
    faults.delete(name);
    ends.get(name)?.abort();
    ends.delete(name);
  };
  return {
    put: (name, added) => {
      checkName(name);
      remove(name);
      faults.set(name, added);
      ends.set(name, new AbortController());
    },
    remove: (name) => {
      checkName(name);
      remove(name);
    },
    clear: () => {
      for (const name of ends.keys()) remove(name);
    },
    list: () => Object.fromEntries(faults),
    take: (name) => {
      const key = faults.has(name) ? name : 'all';
      const taken = faults.get(key);
      const over = ends.get(key)?.signal;
      if (taken === undefined || over === undefined) return undefined;
      if (taken.times === 1) faults.delete(key);
      else if (taken.times !== undefined) faults.set(key, { ...taken, times: taken.times - 1 });
      return { fault: taken, over };
    },
  };
};
