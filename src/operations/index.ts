import type { Operation } from '../model/operation.ts';
import { showAudit } from './self/audit.ts';
import { can } from './self/can.ts';
import { help, requests } from './self/help.ts';
import { oncall } from './self/oncall.ts';
import { policy } from './self/policy.ts';
import { timeline } from './self/timeline.ts';
import { status } from './self/status.ts';
import { capacity } from './cdn/capacity.ts';
import { metrics } from './cdn/metrics.ts';
import { purge } from './cdn/purge.ts';
import { purges } from './cdn/purges.ts';
import { rawLogs } from './cdn/raw-logs.ts';
import { showContainer } from './cloud/container.ts';
import { listInstances } from './cloud/list.ts';
import { ips } from './cloud/ips.ts';
import { reboot } from './cloud/reboot.ts';
import { resume, startInstance, stop, suspend } from './cloud/actions.ts';
import { show } from './cloud/show.ts';
import { whois } from './cloud/whois.ts';
import { change, deleteEvent } from './storage/change.ts';
import { events, kinds } from './storage/events.ts';
import { post } from './storage/post.ts';

/** The order is that of help and docs/commands.md. */
export const operations: readonly Operation[] = [
  reboot,
  stop,
  startInstance,
  suspend,
  resume,
  listInstances,
  show,
  showContainer,
  ips,
  whois,
  metrics,
  capacity,
  rawLogs,
  purge,
  purges,
  post,
  change,
  deleteEvent,
  kinds,
  events,
  help,
  can,
  oncall,
  policy,
  requests,
  showAudit,
  timeline,
  status,
];
