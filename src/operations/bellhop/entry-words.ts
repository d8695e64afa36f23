import type { AuditEntry } from '../../model/audit.ts';
import type { Inventory } from '../../model/target.ts';
import { nameOfId } from '../../command/inventory.ts';

/** What came of it, in a word: `succeeded`, `denied`, `read failed`. */
export function outcomeOf({ event, outcome }: AuditEntry): string {
  if (event === 'ended' || event === 'settled') return outcome ?? event;
  return event === 'read' && outcome === 'failed' ? 'read failed' : event;
}

/** `cloud reboot web-1`, under the name that the target has in the inventory now. Empty where nothing was asked for. */
export function commandOf({ operation, target }: AuditEntry, inventory: Inventory): string {
  if (operation === undefined) return '';
  const words = operation.replace('.', ' ');
  if (target === undefined || target.kind === 'bellhop') return words;
  const id = target.kind === 'instance' ? target.key.split('/').at(-1) : undefined;
  const listed = id === undefined ? undefined : nameOfId(inventory, id);
  return `${words} ${listed ?? target.name}`;
}
