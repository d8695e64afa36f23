/**
 * A service id in normalized spelling: lower case, and UUIDs with dashes, which the service accepts without. Other ids keep
 * their dashes.
 */
export function canonicalId(id: string): string {
  const lower = id.toLowerCase();
  const digits = lower.replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/u.test(digits)) return lower;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

/** Matches a canonical UUID. */
export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id);

/** The names of things that have ids, by name. */
type Named = Readonly<Record<string, { readonly id: string }>>;

/** Cached for each list, because a list never changes and may have thousands of entries. */
const namesById = new WeakMap<Named, ReadonlyMap<string, string>>();

/** The name under which an id is listed, in any spelling; undefined if it is not. */
export function nameOfId(listed: Named, id: string): string | undefined {
  let names = namesById.get(listed);
  if (names === undefined) {
    names = new Map(Object.entries(listed).map(([name, entry]) => [canonicalId(entry.id), name]));
    namesById.set(listed, names);
  }
  return names.get(canonicalId(id));
}
