import type { Operation } from '../core/operation.ts';
import { reboot } from './cloud/reboot.ts';
import { stop } from './cloud/stop.ts';

/** Every operation, in the order of help and README. */
export const operations: readonly Operation[] = [reboot, stop];
