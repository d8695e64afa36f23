import type { InstanceRead } from './schemas/instance.ts';

/** Reads instances of a project and region whose name holds this, in lower case; all where it is "". */
type Find = (name: string, limit: number) => Promise<readonly InstanceRead[]>;

const mostFound = 50;
const keptForMs = 30_000;
const mostKept = 200;

/** Keeps what was found for 30 s: for names while somebody types. @param now epoch milliseconds */
export function rememberFound(now: () => number) {
  const found = new Map<
    string,
    { readonly until: number; readonly instances: Promise<readonly InstanceRead[]> }
  >();
  /** At most 50. @param place where `find` looks */
  return (place: string, name: string, find: Find): Promise<readonly InstanceRead[]> => {
    const wanted = name.toLowerCase();
    const key = `${place}/${wanted}`;
    const kept = found.get(key);
    if (kept && kept.until > now()) return kept.instances;
    const instances = find(wanted, mostFound).then((results) => results.slice(0, mostFound));
    found.delete(key);
    found.set(key, { until: now() + keptForMs, instances });
    instances.catch(() => found.delete(key));
    for (const oldest of found.keys()) {
      if (found.size <= mostKept) break;
      found.delete(oldest);
    }
    return instances;
  };
}
