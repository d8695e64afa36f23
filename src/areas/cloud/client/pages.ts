import { isDeepStrictEqual } from 'node:util';

import { countText } from '../../../bellhop/bellhop.ts';
import { type Accepted, type ServiceReply, jsonObject, readReply } from '../../../service/errors/reply.ts';
import type { LenientSchema } from '../../../service/schemas/lenient.ts';
import type { InstanceRead } from './instance.ts';

interface Listed<Item, Count = number> {
  /** The number of items on all pages. */
  readonly count: Count;
  readonly results: readonly Item[];
}
/** The service may not say how many items there are. */
type Page<Item> = Listed<Item, number | undefined>;

export type PageSchema<Item> = LenientSchema<{
  readonly count?: number | undefined;
  readonly results?: Item[] | undefined;
}>;

/** @throws ServiceError if the answer is not a page */
export function readPage<Item>(accepted: Accepted, schema: PageSchema<Item>): ServiceReply<Page<Item>> {
  const json = jsonObject(accepted, { count: 0, results: [] });
  if (!('results' in json || 'count' in json)) throw accepted.refuse('it contains no list');
  const { value, ...rest } = readReply(accepted, schema, json);
  const { results = [], count } = value;
  return { ...rest, value: { count, results } };
}

/** The service has no larger pages, and may have smaller ones. */
const pageLength = 1000;
const maxItems = 10_000;
const maxPages = 100;
const pagesAtOnce = 3;

interface PageQuery extends Record<string, string> {
  readonly limit: string;
  readonly offset: string;
}

/**
 * Reads all items of a list, page by page, at most 10,000 on at most 100 pages. If the result has fewer items than
 * `count`, it is incomplete. @throws whatever `read` throws
 */
export async function readPages<Item extends { readonly id?: string | undefined }>(
  read: (query: PageQuery) => Promise<ServiceReply<Page<Item>>>,
): Promise<ServiceReply<Listed<Item>>> {
  const page = (offset: number) => read({ limit: String(pageLength), offset: String(offset) });
  const first = await page(0);
  const { count, results } = first.value;
  const all = [first];
  const length = results.length;
  const wanted = length === 0 ? 0 : Math.min(count ?? maxItems, maxItems);
  let hasEnded = length === 0;
  let offset = length;
  while (offset < wanted && all.length < maxPages) {
    const atOnce = Math.min(
      count === undefined ? 1 : pagesAtOnce,
      Math.ceil((wanted - offset) / length),
      maxPages - all.length,
    );
    const offsets = Array.from({ length: atOnce }, (_, index) => offset + index * length);
    const pages = await Promise.all(offsets.map(page));
    all.push(...pages);
    const short = pages.findIndex(({ value }) => value.results.length < length);
    const came = pages[short]?.value.results.length ?? 0;
    // A service that ignores the offset sends its only page again.
    hasEnded = (short >= 0 && came === 0) || isDeepStrictEqual(pages[0]?.value.results, results);
    if (hasEnded) break;
    // After a shorter page, the next offset is where that page ended.
    offset = short < 0 ? offset + pages.length * length : offset + short * length + came;
  }
  const listed = onceEach(all.flatMap(({ value }) => value.results));
  return {
    status: first.status,
    problems: all.flatMap(({ problems }) => problems),
    value: { count: count ?? (hasEnded ? listed.length : Infinity), results: listed },
  };
}

/** @param count Infinity if the service does not say how many there are */
export const partText = (listed: number, count: number, whose = ''): string =>
  `${countText(listed)} of ${whose}${count === Infinity ? `more than ${countText(listed)}` : countText(count)}`;

/** The same item may be on two pages if items are added or removed in between. */
function onceEach<Item extends { readonly id?: string | undefined }>(
  items: readonly Item[],
): readonly Item[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => {
    if (id === undefined) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** Reads instances of a project and region whose name contains `name`, in lower case. An empty name matches all. */
type Find = (name: string, limit: number) => Promise<readonly InstanceRead[]>;

const maxFound = 50;
const keptForMs = 30_000;
const maxKept = 200;

/** Caches results for 30 s, for suggestions while people type. @param now returns epoch milliseconds */
export function rememberFound(now: () => number) {
  const found = new Map<
    string,
    { readonly until: number; readonly instances: Promise<readonly InstanceRead[]> }
  >();
  return (place: string, name: string, find: Find): Promise<readonly InstanceRead[]> => {
    const wanted = name.toLowerCase();
    const key = `${place}/${wanted}`;
    const kept = found.get(key);
    if (kept && kept.until > now()) return kept.instances;
    const instances = find(wanted, maxFound).then((results) => results.slice(0, maxFound));
    found.delete(key);
    found.set(key, { until: now() + keptForMs, instances });
    instances.catch(() => found.delete(key));
    const [oldest] = found.keys();
    if (found.size > maxKept && oldest !== undefined) found.delete(oldest);
    return instances;
  };
}
