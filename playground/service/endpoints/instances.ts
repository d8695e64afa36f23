import { z } from '@hono/zod-openapi';
import { instanceActions, taskIds } from '../../../src/areas/cloud/client/instance.ts';
import { instance, instanceList } from '../schemas/instance.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { begin, stop } from '../state/instance-life.ts';
import { changeInstance, instanceOrders, listInstances, readInstance } from '../service.ts';
import { page } from '../http/page-query.ts';
import { instancePath, placePath } from '../http/path-params.ts';

const place = '/cloud/v1/instances/{project_id}/{region_id}';
const path = `${place}/{instance_id}`;

export const rebootInstance = endpoint({
  name: 'rebootInstance',
  method: 'post',
  path: `${path}/reboot`,
  summary: 'Reboot an instance',
  description:
    'Answers REBOOT/active with task_state rebooting; a few seconds later it is ACTIVE/active again.',
  changes: true,
  params: instancePath,
  response: instanceList,
  failures: {
    404: 'no such instance in this project and region',
    409: 'a task is changing it, or it is not running',
  },
  run: (call, service) => ({
    count: 1,
    results: [changeInstance(service, read(instancePath, call.params), begin('reboot'), call)],
  }),
});

export const stopInstance = endpoint({
  name: 'stopInstance',
  method: 'post',
  path: `${path}/stop`,
  summary: 'Stop an instance',
  description:
    'Answers ACTIVE/active with task_state powering-off; a few seconds later it is SHUTOFF/stopped. A stopped one stays as it is.',
  changes: true,
  params: instancePath,
  response: instanceList,
  failures: {
    404: 'no such instance in this project and region',
    409: 'a task is changing it, or it is neither running nor stopped',
  },
  run: (call, service) => ({
    count: 1,
    results: [changeInstance(service, read(instancePath, call.params), stop, call)],
  }),
});

export const readOneInstance = endpoint({
  name: 'readInstance',
  method: 'get',
  path,
  summary: 'Read an instance',
  extension: 'instance-read',
  changes: false,
  params: instancePath,
  response: instance,
  failures: { 404: 'no such instance in this project and region' },
  run: (call, service) => readInstance(service, read(instancePath, call.params)),
});

const instanceActionRequest = z.strictObject({
  action: z.enum(instanceActions).describe('the action'),
});

const listQuery = page.extend({
  name: z.string().optional().describe('only instances whose name contains this text, case-insensitive'),
  status: z.string().optional().describe('only instances with this status, like SHUTOFF'),
  ip: z.string().optional().describe('only instances with an address that contains this text'),
  uuid: z.string().optional().describe('only the instance with this identifier'),
  flavor_id: z.string().optional().describe('only instances of this flavor'),
  tag_value: z.string().optional().describe('only instances with a tag of this value'),
  order_by: z.enum(instanceOrders).optional().openapi({ description: 'sort order' }),
});

export const listOfInstances = endpoint({
  name: 'listInstances',
  method: 'get',
  path: place,
  summary: 'List the instances',
  description: 'The list is empty for a project or region without instances.',
  extension: 'instance-list',
  changes: false,
  params: placePath,
  query: listQuery,
  response: instanceList,
  run: (call, service) => listInstances(service, read(placePath, call.params), read(listQuery, call.query)),
});

export const actOnInstance = endpoint({
  name: 'actOnInstance',
  method: 'post',
  path: path.replace('/v1/', '/v2/') + '/action',
  summary: 'Start, stop, reboot, suspend or resume an instance',
  description:
    'start takes a stopped one, resume a suspended one, reboot_hard any that is not held by a task; stop, reboot and suspend take an active one. The task is over a few seconds later.',
  extension: 'instance-actions',
  changes: true,
  params: instancePath,
  body: instanceActionRequest,
  response: taskIds,
  failures: {
    404: 'no such instance in this project and region',
    409: 'a task is changing it, or its status does not allow the action',
  },
  run: (call, service) => {
    const { action } = read(instanceActionRequest, call.json);
    const { task_id: id } = changeInstance(service, read(instancePath, call.params), begin(action), call);
    return { tasks: id === null ? [] : [id] };
  },
});
