import type { RegionRef } from './cloud.ts';
import { endpoints } from './schemas/endpoints.ts';
import type { CallContext } from './http/sender.ts';
import type { Transport } from './http/transport.ts';
import { type Listed, readPages } from './pages.ts';
import { type Accepted, jsonObject, readReply, type Reply } from './errors/reply.ts';
import { requestPath } from './request-path.ts';
import { instanceListRead, type InstanceRead } from './schemas/instance.ts';

/** Of the extension `instance-list`; only for a service that has it. Each @throws ServiceError */
export interface InstanceListCalls {
  /** All instances of a project and region, page by page, at most 10,000. */
  listInstances(ref: RegionRef, call: CallContext): Promise<Reply<Listed<InstanceRead>>>;
  /** At most 50 whose name holds this, as they were at most 30 s ago: for names while somebody types. */
  findInstances(ref: RegionRef, name: string, call: CallContext): Promise<readonly InstanceRead[]>;
}

const mostFound = 50;
const keptForMs = 30_000;
const mostKept = 200;

/** @param now epoch milliseconds */
export function instanceListCalls(transport: Transport, now: () => number): InstanceListCalls {
  const readPage = async (ref: RegionRef, query: Record<string, string>, call: CallContext) => {
    const { project, region } = ref;
    const path = requestPath(endpoints.listInstances.path, { project, region });
    const search = new URLSearchParams(query).toString();
    return transport.call({ endpoint: 'listInstances', path: `${path}?${search}` }, call, readInstances);
  };
  const found = new Map<
    string,
    { readonly until: number; readonly instances: Promise<readonly InstanceRead[]> }
  >();
  return {
    listInstances: (ref, call) => readPages((query) => readPage(ref, query, call)),
    findInstances(ref, name, call) {
      const wanted = name.toLowerCase();
      const key = `${ref.project}/${ref.region}/${wanted}`;
      const kept = found.get(key);
      if (kept && kept.until > now()) return kept.instances;
      const query = { limit: String(mostFound), ...(wanted !== '' && { name: wanted }) };
      const instances = readPage(ref, query, call).then(({ value }) => value.results.slice(0, mostFound));
      found.delete(key);
      found.set(key, { until: now() + keptForMs, instances });
      instances.catch(() => found.delete(key));
      for (const oldest of found.keys()) {
        if (found.size <= mostKept) break;
        found.delete(oldest);
      }
      return instances;
    },
  };
}

function readInstances(accepted: Accepted): Reply<Listed<InstanceRead>> {
  const json = jsonObject(accepted);
  if (!('results' in json || 'count' in json)) throw accepted.refuse('it holds no list');
  const { value, ...rest } = readReply(accepted, instanceListRead, json);
  const results = value.results ?? [];
  return { ...rest, value: { count: value.count ?? results.length, results } };
}
