import {
  type Accepted,
  checkedRequest,
  jsonBody,
  readReply,
  type ServiceReply,
} from '../../../service/errors/reply.ts';
import type { CallContext, Transport } from '../../../service/http/transport.ts';
import { readMetricsReply } from './metrics-reply.ts';
import { isObject } from '../../../text/exact.ts';
import { capacityListRead } from './capacity.ts';
import { cdnCall } from './endpoints.ts';
import { metricsQuery, type MetricsQuery } from './metrics.ts';
import { purgeListRead, purgeRequest, type PurgeFilter, type PurgeRequest } from './purge.ts';
import {
  type RawLogSettings,
  type RawLogSettingsReplyRead,
  rawLogSecrets,
  rawLogSettingsReplyRead,
  rawLogSettingsRequest,
} from './raw-logs.ts';

export { type ServiceReply, replyNotes } from '../../../service/errors/reply.ts';

/** Each call throws ServiceError, or BellhopError `bad-input` for a request that breaks the interface's rules. */
export function cdnCalls(transport: Transport) {
  return {
    async queryMetrics(query: MetricsQuery, call: CallContext) {
      const body = checkedRequest(metricsQuery, query);
      return transport.call(cdnCall('queryMetrics', {}, { body }), call, (accepted) =>
        readMetricsReply(accepted, body.group_by ?? []),
      );
    },
    /** Resolves to capacities in Gbit/s. */
    listCapacity: (call: CallContext) =>
      transport.call(cdnCall('listCapacity', {}), call, (accepted) => {
        const json = jsonBody(accepted, []);
        if (!Array.isArray(json)) throw accepted.refuse('it is not a list');
        return readReply(accepted, capacityListRead, json);
      }),
    /** Replaces all settings. Resolves to undefined if the service confirms without repeating the settings. */
    async updateRawLogSettings(settings: RawLogSettings, call: CallContext) {
      const body = checkedRequest(rawLogSettingsRequest, settings);
      const secrets = rawLogSecrets.flatMap((field) => body[field] ?? []);
      return transport.call(cdnCall('updateRawLogSettings', {}, { body, secrets }), call, readRawLogSettings);
    },
    /** Needs the extension `cdn-purge`. The answer has no body, so the value is the service's time, if any. */
    async purgeResource(resource: number, purge: PurgeRequest, call: CallContext) {
      const body = checkedRequest(purgeRequest, purge);
      return transport.call(cdnCall('purgeResource', { resource }, { body }), call, (accepted) => {
        if (accepted.body.length > 0) throw accepted.refuse('it should be empty');
        return { value: accepted.serviceTime, problems: [], status: accepted.status };
      });
    },
    /** Needs the extension `cdn-purge`. Resolves to the newest 100 purges. */
    listPurges({ from }: PurgeFilter, call: CallContext) {
      const since = from === undefined ? {} : { from_created: new Date(from).toISOString() };
      const query = { limit: '100', offset: '0', ...since };
      return transport.call(cdnCall('listPurges', {}, { query }), call, (accepted) => {
        const json = jsonBody(accepted, []);
        const results = isObject(json) ? (json['results'] === null ? [] : json['results']) : json;
        if (!Array.isArray(results)) throw accepted.refuse('it is not a list');
        const { value, ...reply } = readReply(accepted, purgeListRead, { results });
        return { ...reply, value: value.results ?? [] };
      });
    },
  };
}

export type CdnClient = ReturnType<typeof cdnCalls>;

/** The interface shows no body for this reply, so an empty body, or JSON that is not an object, is a success. */
function readRawLogSettings(accepted: Accepted): ServiceReply<RawLogSettingsReplyRead | undefined> {
  const json = accepted.body.length === 0 ? undefined : jsonBody(accepted);
  if (!isObject(json)) return { value: undefined, problems: [], status: accepted.status };
  const secretFields = new Set<string>(rawLogSecrets);
  const shown = Object.fromEntries(Object.entries(json).filter(([field]) => !secretFields.has(field)));
  return readReply(accepted, rawLogSettingsReplyRead, shown);
}
