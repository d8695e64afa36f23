import { instance, instanceList } from '../../../src/api/schemas/instance.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { reboot, stop } from '../state/instance-life.ts';
import { changeInstance, readInstance } from '../service.ts';
import { instancePath } from './path-params.ts';

const path = '/cloud/v1/instances/{project_id}/{region_id}/{instance_id}';

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
  failures: { 404: 'no such instance there', 409: 'a task holds it, or it is not running' },
  run: (call, service) => ({
    count: 1,
    results: [changeInstance(service, read(instancePath, call.params), reboot)],
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
  failures: { 404: 'no such instance there', 409: 'a task holds it, or it is neither running nor stopped' },
  run: (call, service) => ({
    count: 1,
    results: [changeInstance(service, read(instancePath, call.params), stop)],
  }),
});

/** Reading one instance: an extension of the interface. */
export const readOneInstance = endpoint({
  name: 'readInstance',
  method: 'get',
  path,
  summary: 'Read an instance',
  extension: 'instance-read',
  changes: false,
  params: instancePath,
  response: instance,
  failures: { 404: 'no such instance there' },
  run: (call, service) => readInstance(service, read(instancePath, call.params)),
});
