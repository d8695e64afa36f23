import { callsTo, change, query } from '../../../service/schemas/endpoints.ts';

/** The endpoints of docs/interface.md, extensions included. */
export const cdnEndpoints = {
  queryMetrics: query('POST', '/cdn/advanced/v1/metrics'),
  listCapacity: query('GET', '/cdn/advanced/v1/capacity'),
  updateRawLogSettings: change('PUT', '/cdn/raw_log_settings'),
  purgeResource: change('POST', '/cdn/resources/{resource}/purge'),
  listPurges: query('GET', '/cdn/purge_statuses'),
};

export const cdnCall = callsTo('cdn', cdnEndpoints);
