import type { RegionRef } from './cloud.ts';
import { endpoints } from './schemas/endpoints.ts';
import type { CallContext } from './http/sender.ts';
import type { Transport } from './http/transport.ts';
import { type Listed, type PageQuery, readPages } from './pages.ts';
import { type Accepted, jsonObject, readReply, type Reply } from './errors/reply.ts';
import { requestPath } from './request-path.ts';
import { heldFloatingIpListRead, type HeldFloatingIpRead } from './schemas/floating-ip.ts';

/** Of the extension `floating-ip-list`; only for a service that has it. Each @throws ServiceError */
export interface FloatingIpListCalls {
  /** All floating IPs of a project and region with what holds them, at most 10,000. */
  listHeldFloatingIps(ref: RegionRef, call: CallContext): Promise<Reply<Listed<HeldFloatingIpRead>>>;
}

export function floatingIpListCalls(transport: Transport): FloatingIpListCalls {
  return {
    async listHeldFloatingIps({ project, region }, call) {
      const path = requestPath(endpoints.listHeldFloatingIps.path, { project, region });
      const read = (query: PageQuery) => {
        const search = new URLSearchParams(query).toString();
        return transport.call({ endpoint: 'listHeldFloatingIps', path: `${path}?${search}` }, call, readPage);
      };
      return readPages(read);
    },
  };
}

function readPage(accepted: Accepted): Reply<Listed<HeldFloatingIpRead>> {
  const json = jsonObject(accepted);
  if (!('results' in json || 'count' in json)) throw accepted.refuse('it holds no list');
  const { value, ...rest } = readReply(accepted, heldFloatingIpListRead, json);
  const results = value.results ?? [];
  return { ...rest, value: { count: value.count ?? results.length, results } };
}
