import { areas } from '../areas/index.ts';
import { ownCommands } from '../features/index.ts';
import type { Operation } from '../model/operation.ts';
import { showAudit } from './self/audit.ts';
import { can } from './self/can.ts';
import { help, requests } from './self/help.ts';
import { policy } from './self/policy.ts';
import { timeline } from './self/timeline.ts';
import { status } from './self/status.ts';

/** The operations of this build. The order is that of help and docs/commands.md. */
export const operations: readonly Operation[] = [
  ...areas.flatMap((area) => area.operations),
  help,
  can,
  policy,
  requests,
  showAudit,
  timeline,
  status,
  ...ownCommands,
];
