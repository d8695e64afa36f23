import type { Inventory } from '../../model/inventory.ts';
import type { Finding } from '../yaml/findings.ts';
import { someOf } from './spots.ts';

/** Targets without a project or region: no command reaches them, so nothing can be told of the rules about them. */
export const placeless = (inventory: Inventory): readonly Finding[] =>
  (['project', 'region'] as const).flatMap((part): readonly Finding[] => {
    if (inventory[part] !== undefined) return [];
    const names = (['instances', 'containers'] as const).flatMap((kind) =>
      Object.entries(inventory[kind]).flatMap(([name, entry]) => (entry[part] === undefined ? [name] : [])),
    );
    if (names.length === 0) return [];
    const text = `is missing: no command reaches ${someOf(names)}. Set ${part} for all, or on each of them.`;
    return [{ path: [part], text }];
  });
