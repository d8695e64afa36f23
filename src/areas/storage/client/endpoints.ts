import { callsTo, change, query } from '../../../service/schemas/endpoints.ts';

/** The endpoints of docs/interface.md, extensions included. */
export const storageEndpoints = {
  postStorageEvent: change('POST', '/storage/notifications/v1/event'),
  describeStorageEvents: query('GET', '/storage/notifications/v1/events/configurator'),
  listStorageEvents: query('GET', '/storage/notifications/v1/events'),
  changeStorageEvent: change('PUT', '/storage/notifications/v1/event'),
  deleteStorageEvent: change('DELETE', '/storage/notifications/v1/event'),
};

export const storageCall = callsTo('storage', storageEndpoints);
