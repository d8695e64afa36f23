import type { Operation } from '../core/operation.ts';
import { capacity } from './cdn/capacity.ts';
import { container } from './cloud/container.ts';
import { ips } from './cloud/ips.ts';
import { reboot } from './cloud/reboot.ts';
import { stop } from './cloud/stop.ts';
import { events } from './storage/events.ts';
import { kinds } from './storage/kinds.ts';

/** Every operation, in the order of help and README. */
export const operations: readonly Operation[] = [reboot, stop, container, ips, capacity, kinds, events];
