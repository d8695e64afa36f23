import { canonical } from '../../model/audit.ts';

/** The sections of a file: as its schema reads each, and as it is written. */
export type Sections = Readonly<Record<string, { readonly read: unknown; readonly written: unknown }>>;

/** What two versions of the file say otherwise, a line each: `limits[0].at_most: 2 → 1000`. The same said in other words is no difference. */
export function compareSections(before: Sections, after: Sections): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [one, other] = [before[name], after[name]];
    return same(one?.read, other?.read) ? [] : differences(name, one?.written, other?.written);
  });
}

const same = (one: unknown, other: unknown): boolean => text(one) === text(other);

function differences(path: string, one: unknown, other: unknown): readonly string[] {
  if (same(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other)) return listDifferences(path, one, other);
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => differences(`${path}.${key}`, one[key], other[key]));
  }
  return [`${path}: ${short(one)} → ${short(other)}`];
}

/** What is in one of them alone; of rules and the like, which have names or places, what is different in them. */
function listDifferences(
  path: string,
  one: readonly unknown[],
  other: readonly unknown[],
): readonly string[] {
  if (![...one, ...other].every(isObject)) {
    const [gone, added] = [without(one, other), without(other, one)].map((items) =>
      items.map(short).join(', '),
    );
    const lines = [
      ...(gone ? [`${path}: gone: ${gone}`] : []),
      ...(added ? [`${path}: added: ${added}`] : []),
    ];
    return lines.length > 0 ? lines : [`${path}: ${short(one)} → ${short(other)}`];
  }
  const [old, now] = [byName(path, one), byName(path, other)];
  const lines = [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    if (!now.has(name)) return [`${name}: gone: ${short(old.get(name))}`];
    return old.has(name)
      ? differences(name, old.get(name), now.get(name))
      : [`${name}: added: ${short(now.get(name))}`];
  });
  return kept(old, now) === kept(now, old) ? lines : [...lines, `${path}: in another order`];
}

const kept = (from: ReadonlyMap<string, unknown>, to: ReadonlyMap<string, unknown>): string =>
  [...from.keys()].filter((name) => to.has(name)).join('\n');

const byName = (path: string, items: readonly unknown[]): ReadonlyMap<string, unknown> =>
  new Map(
    items.map((item, index) => {
      const name = isObject(item) ? item['name'] : undefined;
      return [name === undefined ? `${path}[${index}]` : `${path} “${short(name)}”`, item];
    }),
  );

const without = (items: readonly unknown[], others: readonly unknown[]): readonly unknown[] =>
  items.filter((item) => !others.some((each) => same(item, each)));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string => (value === undefined ? '' : canonical(value));

const longest = 200;

function short(value: unknown): string {
  if (value === undefined) return '(left out)';
  const written = typeof value === 'string' ? value : text(value);
  return written.length > longest ? `${written.slice(0, longest)}…` : written;
}
