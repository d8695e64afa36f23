import type { Rules } from '../context.ts';
import type { Values } from '../grammar/grammar.ts';
import { BellhopError } from '../model/errors.ts';
import type { Inventory } from '../model/inventory.ts';
import type { Entry } from '../registry.ts';

/** A name that a field can take. */
export interface Suggestion {
  readonly name: string;
  /** What tells it from others: the labels and the region of the target it means. Empty where it means none. */
  readonly about: string;
}

/** Those that hold what was typed, and first those that begin like it. At most 100. */
export function suggestionsFor(
  context: Rules,
  entry: Entry,
  field: string,
  typed: string,
): readonly Suggestion[] {
  const { inventory } = context.rulebook();
  const wanted = typed.trim().toLowerCase();
  const begins = ({ name }: Suggestion): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return (entry.operation.suggest?.(field, inventory) ?? [])
    .map((name) => ({ name, about: aboutTarget(entry, { [field]: name }, inventory) }))
    .filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => begins(one) - begins(other) || one.name.localeCompare(other.name))
    .slice(0, 100);
}

/** `staging, web · Luxembourg-2` */
function aboutTarget({ operation }: Entry, values: Values, inventory: Inventory): string {
  const input = operation.input.safeParse(values);
  if (!input.success) return '';
  try {
    const target = operation.target(input.data, inventory);
    const region = 'region' in target ? (target.regionName ?? `region ${target.region}`) : '';
    return [Object.values(target.labels).join(', '), region].filter((part) => part !== '').join(' · ');
  } catch (error) {
    if (error instanceof BellhopError) return '';
    throw error;
  }
}
