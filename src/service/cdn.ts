import type { Accepted } from './errors/reply.ts';
import { isObject, jsonBody } from './errors/reply.ts';
import { readMetricsReply } from './metrics-reply.ts';
import type { MetricsReply } from './metrics-reply.ts';
import { checkedRequest, readReply } from './errors/reply.ts';
import type { Reply } from './errors/reply.ts';
import { requestPath } from './request-path.ts';
import { endpoints } from './schemas/endpoints.ts';
import { capacityListRead, type CapacityListRead } from './schemas/cdn/capacity.ts';
import { metricsQuery, type MetricsQuery } from './schemas/cdn/metrics.ts';
import {
  purgeListRead,
  purgeRequest,
  type PurgeFilter,
  type PurgeRead,
  type PurgeRequest,
} from './schemas/cdn/purge.ts';
import { rawLogSecrets } from './schemas/cdn/raw-log-rules.ts';
import { rawLogSettingsRequest } from './schemas/cdn/raw-log-rules.ts';
import { rawLogSettingsReplyRead } from './schemas/cdn/raw-log-settings.ts';
import type { RawLogSettings, RawLogSettingsReplyRead } from './schemas/cdn/raw-log-settings.ts';
import type { CallContext } from './http/sender.ts';
import type { Transport } from './http/transport.ts';

/** Each @throws ServiceError, and BellhopError `bad-input` for a request that the interface would refuse. */
export interface CdnCalls {
  queryMetrics(query: MetricsQuery, call: CallContext): Promise<Reply<MetricsReply>>;
  /** In Gbit/s. */
  listCapacity(call: CallContext): Promise<Reply<CapacityListRead>>;
  /** A full replace. Undefined where the service confirms without repeating the settings. */
  updateRawLogSettings(
    settings: RawLogSettings,
    call: CallContext,
  ): Promise<Reply<RawLogSettingsReplyRead | undefined>>;
  /** The extension `cdn-purge`. Its answer has no body: the value is the service's time, undefined where it tells none. */
  purgeResource(resource: number, purge: PurgeRequest, call: CallContext): Promise<Reply<number | undefined>>;
  /** The extension `cdn-purge`: the newest 100. */
  listPurges(filter: PurgeFilter, call: CallContext): Promise<Reply<readonly PurgeRead[]>>;
}

const rawLogRequest = rawLogSettingsRequest('unknown');

/** The calls of the CDN area. */
export function cdnCalls(transport: Transport): CdnCalls {
  return {
    async queryMetrics(query, call) {
      const body = checkedRequest(metricsQuery, query);
      return transport.call(
        { endpoint: 'queryMetrics', path: endpoints.queryMetrics.path, body },
        call,
        (accepted) => readMetricsReply(accepted, body.group_by ?? []),
      );
    },
    listCapacity(call) {
      return transport.call(
        { endpoint: 'listCapacity', path: endpoints.listCapacity.path },
        call,
        (accepted) => {
          const json = jsonBody(accepted);
          if (!Array.isArray(json)) throw accepted.refuse('it is not a list');
          return readReply(accepted, capacityListRead, json);
        },
      );
    },
    async updateRawLogSettings(settings, call) {
      const body = checkedRequest(rawLogRequest, settings);
      const secrets = rawLogSecrets.flatMap((field) => body[field] ?? []);
      return transport.call(
        { endpoint: 'updateRawLogSettings', path: endpoints.updateRawLogSettings.path, body, secrets },
        call,
        readRawLogSettings,
      );
    },
    async purgeResource(resource, purge, call) {
      const body = checkedRequest(purgeRequest, purge);
      const path = requestPath(endpoints.purgeResource.path, { resource });
      return transport.call({ endpoint: 'purgeResource', path, body }, call, (accepted) => {
        if (accepted.body.length > 0) throw accepted.refuse('it should be empty');
        return { value: accepted.serviceTime, problems: [], status: accepted.status };
      });
    },
    listPurges({ from }, call) {
      const since = from === undefined ? '' : `&from_created=${new Date(from).toISOString()}`;
      const path = `${endpoints.listPurges.path}?limit=100&offset=0${since}`;
      return transport.call({ endpoint: 'listPurges', path }, call, (accepted) => {
        const json = jsonBody(accepted);
        const results = isObject(json) ? json['results'] : json;
        if (!Array.isArray(results)) throw accepted.refuse('it is not a list');
        const { value, ...reply } = readReply(accepted, purgeListRead, { results });
        return { ...reply, value: value.results ?? [] };
      });
    },
  };
}

/** The interface shows no body for this reply: an empty one, or JSON that is no object, is a success all the same. */
function readRawLogSettings(accepted: Accepted): Reply<RawLogSettingsReplyRead | undefined> {
  const json = accepted.body.length === 0 ? undefined : jsonBody(accepted);
  if (!isObject(json)) return { value: undefined, problems: [], status: accepted.status };
  const secretFields = new Set<string>(rawLogSecrets);
  const shown = Object.fromEntries(Object.entries(json).filter(([field]) => !secretFields.has(field)));
  return readReply(accepted, rawLogSettingsReplyRead, shown);
}
