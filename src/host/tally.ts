import { onceAMinute } from '../model/ports.ts';
import type { Host } from './feature.ts';

/** This replica's view of one caller. Times are epoch milliseconds. */
export interface CallerTally {
  readonly name: string;
  readonly taken: number;
  readonly refused: number;
  readonly refusedInARow: number;
  /** By outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly lastTakenAt?: number | undefined;
  readonly lastRefused?:
    | { readonly at: number; readonly reason: string; readonly problem?: string | undefined }
    | undefined;
}

/**
 * Counts the calls from outside by caller, and logs each kind of refusal once a minute.
 * @param kind the kind of caller, such as `hook`
 * @param refusal the log line
 */
export function createTally({ clock, log }: Pick<Host, 'clock' | 'log'>, kind: string, refusal: string) {
  const callers = new Map<string, CallerTally>();
  const isDue = onceAMinute(clock);
  return {
    /** Calls without a name are not counted by caller, so that strangers can't fill the memory. */
    count(name: string | undefined, outcome: string, isTaken: boolean, problem?: string): void {
      const at = clock.now();
      if (!isTaken && isDue(`${name ?? ''} ${outcome}`))
        log.warn({ [kind]: name, reason: outcome, problem }, refusal);
      if (name === undefined) return;
      const known = callers.get(name) ?? { name, taken: 0, refused: 0, refusedInARow: 0, outcomes: {} };
      callers.set(name, {
        ...known,
        taken: known.taken + Number(isTaken),
        refused: known.refused + Number(!isTaken),
        refusedInARow: isTaken ? 0 : known.refusedInARow + 1,
        outcomes: { ...known.outcomes, [outcome]: (known.outcomes[outcome] ?? 0) + 1 },
        ...(isTaken ? { lastTakenAt: at } : { lastRefused: { at, reason: outcome, problem } }),
      });
    },
    callers: (): readonly CallerTally[] => [...callers.values()],
  };
}
