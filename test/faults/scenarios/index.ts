import type { Scenario } from '../scenario.ts';
import { killOne } from './kill-one.ts';

/** All that is tried, in the order of the table. */
export const scenarios: readonly Scenario[] = [killOne];
