import type { Operation } from '../model/operation.ts';
import { showAudit } from './self/audit.ts';
import { can } from './self/can.ts';
import { help, requests } from './self/help.ts';
import { oncall } from './self/oncall.ts';
import { policy } from './self/policy.ts';
import { timeline } from './self/timeline.ts';
import { status } from './self/status.ts';
import { capacity } from '../areas/cdn/capacity.ts';
import { metrics } from '../areas/cdn/metrics.ts';
import { purge } from '../areas/cdn/purge.ts';
import { purges } from '../areas/cdn/purges.ts';
import { rawLogs } from '../areas/cdn/raw-logs.ts';
import { showContainer } from '../areas/cloud/container.ts';
import { listInstances } from '../areas/cloud/list.ts';
import { ips } from '../areas/cloud/ips.ts';
import { reboot } from '../areas/cloud/reboot.ts';
import { resume, startInstance, stop, suspend } from '../areas/cloud/actions.ts';
import { show } from '../areas/cloud/show.ts';
import { whois } from '../areas/cloud/whois.ts';
import { change, deleteEvent } from '../areas/storage/change.ts';
import { events, kinds } from '../areas/storage/events.ts';
import { post } from '../areas/storage/post.ts';

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
