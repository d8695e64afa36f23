import type { Extension } from './extension.ts';
import type { Inventory } from './inventory.ts';
import type { Policy } from '../policy/policy.ts';

/** What `bellhop.yaml` says, parsed. Replaced as a whole when the file is reloaded; requests keep the hash they saw. */
export interface Rulebook {
  readonly inventory: Inventory;
  readonly policy: Policy;
  /** By name, without `secret:`. */
  readonly secrets: Readonly<Record<string, SecretBinding>>;
  /** How long a proposal stays open, in milliseconds. */
  readonly expireAfterMs: number;
  /** How long a running request may be silent before it is taken for crashed, in milliseconds. */
  readonly leaseMs: number;
  /** How long running work is waited for after a stop, in milliseconds. What still runs then is left to its lease. */
  readonly drainMs: number;
  /** How long a settled request is kept after it was made, in milliseconds. The audit is kept for good. */
  readonly keepMs: number;
  /** What the service offers beyond the interface. */
  readonly extensions: readonly Extension[];
  readonly limits: readonly Limit[];
  readonly guards: readonly Guard[];
  readonly announce: {
    /** The channel that is told of broken glass; undefined: the channel where it was asked. */
    readonly breakGlass?: string | undefined;
    /** Roles whose people are told privately of a changed `bellhop.yaml` that is refused. */
    readonly brokenRules: readonly string[];
  };
}

/** Where a secret may be sent: into which fields, and where those say a host, to which hosts and those below them. */
export interface SecretBinding {
  readonly fields: readonly string[];
  /** Left out: any. */
  readonly hosts?: readonly string[] | undefined;
}

/** At most so many changes in a time, of each target, by each person, or in all. */
export interface Limit {
  readonly per: 'target' | 'person' | 'all';
  readonly atMost: number;
  readonly withinMs: number;
  /** Names or `area.*`; all changes where absent. */
  readonly operations?: readonly string[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Whoever takes a member of a group out of service and leaves fewer than `keep` running needs an approval. */
export interface Guard {
  readonly labels: Readonly<Record<string, string>>;
  readonly keep: number;
  readonly approvers: readonly string[];
}

/** No lease is longer, in milliseconds. One that seems to be was written before the clock was set back. */
export const longestLeaseMs = 10 * 60_000;
