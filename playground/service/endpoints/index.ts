import type { Endpoint } from '../http/endpoint.ts';
import { getContainer } from './get-container.ts';
import {
  actOnInstance,
  listOfInstances,
  readOneInstance,
  rebootInstance,
  stopInstance,
} from './instances.ts';
import { listCapacity } from './list-capacity.ts';
import { listFloatingIps } from './list-floating-ips.ts';
import { listHeldFloatingIps } from './list-held-floating-ips.ts';
import { listPurges, purgeResource } from './purges.ts';
import { queryMetrics } from './query-metrics.ts';
import {
  changeStorageEvent,
  deleteStorageEvent,
  describeStorageEvents,
  listStorageEvents,
  postStorageEvent,
} from './storage-events.ts';
import { listTasks, readTask } from './tasks.ts';
import { updateRawLogSettings } from './update-raw-log-settings.ts';

/** Every endpoint of the service. */
export const endpoints: readonly Endpoint[] = [
  queryMetrics,
  listCapacity,
  updateRawLogSettings,
  rebootInstance,
  stopInstance,
  getContainer,
  listFloatingIps,
  postStorageEvent,
  describeStorageEvents,
  listStorageEvents,
  readOneInstance,
  listOfInstances,
  actOnInstance,
  changeStorageEvent,
  deleteStorageEvent,
  readTask,
  listTasks,
  purgeResource,
  listPurges,
  listHeldFloatingIps,
];
