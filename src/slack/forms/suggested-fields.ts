import type { Entry } from '../../core/registry.ts';
import type { Rulebook } from '../../core/model/rulebook.ts';

/** Fields that the inventory knows names for. */
export const suggestedFields = (entry: Entry, { inventory }: Rulebook): readonly string[] =>
  entry.fields
    .map(({ name }) => name)
    .filter((name) => (entry.operation.suggest?.(name, inventory) ?? []).length > 0);
