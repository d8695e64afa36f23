import { callsTo, change, query } from '../../../service/schemas/endpoints.ts';

/** The endpoints of docs/interface.md, extensions included. */
export const cloudEndpoints = {
  rebootInstance: change('POST', '/cloud/v1/instances/{project}/{region}/{id}/reboot'),
  stopInstance: change('POST', '/cloud/v1/instances/{project}/{region}/{id}/stop'),
  getContainer: query('GET', '/cloud/v1/caas/{project}/{region}/containers/{name}'),
  listFloatingIps: query('GET', '/cloud/v1/availablefloatingips/{project}/{region}'),
  actOnInstance: change('POST', '/cloud/v2/instances/{project}/{region}/{id}/action'),
  listInstances: query('GET', '/cloud/v1/instances/{project}/{region}'),
  readInstance: query('GET', '/cloud/v1/instances/{project}/{region}/{id}'),
  readTask: query('GET', '/cloud/v1/tasks/{id}'),
  listTasks: query('GET', '/cloud/v1/tasks'),
  listHeldFloatingIps: query('GET', '/cloud/v1/floatingips/{project}/{region}'),
};

export const cloudCall = callsTo('cloud', cloudEndpoints);
