import type { Rulebook } from '../../model/rulebook.ts';
import type { Settings } from './environment.ts';

/** Everything that the environment and `bellhop.yaml` say, checked and frozen. Paths are absolute. */
export interface Config extends Settings {
  /** As it was when Bellhop started; `watchRulebook` keeps it current. */
  readonly rulebook: Rulebook;
  /** What the rules say that is probably not meant, a line each. */
  readonly warnings: readonly string[];
  /** Absent where the built-in sample is used. */
  readonly configFile?: string | undefined;
  /** Where a `bellhop.yaml` takes the place of the built-in sample once it is there. */
  readonly awaitedFile?: string | undefined;
}

/** Freezes plain data, all the way down, and hands it back. */
export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
