import type { Inventory } from './inventory.ts';
import type { Policy } from './policy.ts';

/** What `bellhop.yaml` says, parsed. Replaced as a whole when the file is reloaded; requests keep the hash they saw. */
export interface Rulebook {
  readonly inventory: Inventory;
  readonly policy: Policy;
  /** How long a proposal stays open, in milliseconds. */
  readonly expireAfterMs: number;
  /** How long a running request may be silent before it is taken for crashed, in milliseconds. */
  readonly leaseMs: number;
  readonly extensions: readonly Extension[];
}

/** What the service offers beyond the interface. */
export const extensions = ['instance-read'] as const;
export type Extension = (typeof extensions)[number];
