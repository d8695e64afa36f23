import type { Written } from './schema-parts.ts';
import type { effects, freeze, guard, limit, risks, role, rule, secretBinding } from './policy-schema.ts';
import type { extensions, links } from './schema.ts';
import type { Inventory } from './target.ts';

/** The parsed `bellhop.yaml`. A reload replaces it as a whole. Requests keep the hash of their version. */
export interface Rulebook {
  readonly inventory: Inventory;
  readonly policy: Policy;
  /** By name, without `secret:`. */
  readonly secrets: Readonly<Record<string, SecretBinding>>;
  /** In milliseconds. */
  readonly expireAfterMs: number;
  /** In milliseconds. A running request that is silent for longer counts as dead. */
  readonly leaseMs: number;
  /** In milliseconds: how long a shutdown waits for running work. Unfinished work ends with its lease. */
  readonly drainMs: number;
  readonly readTimeoutMs: number;
  /** In milliseconds. Then the outcome of a change counts as unknown. */
  readonly timeoutMs: number;
  /** In milliseconds after its creation. The audit log is kept permanently. */
  readonly keepMs: number;
  readonly extensions: readonly Extension[];
  /** `https://…` with `{project}`, `{region}` and `{id}`. */
  readonly links?: Written<typeof links> | undefined;
  readonly limits: readonly Limit[];
  readonly guards: readonly Guard[];
  readonly announce: {
    /** Notified privately of a rejected `bellhop.yaml`. */
    readonly brokenRules: readonly string[];
  };
  /** For example `secret:audit-key`. Default: this replica's own key. */
  readonly auditKeys: readonly string[];
  /** By the name of a feature's section. */
  readonly sections: Readonly<Record<string, unknown>>;
  readonly ownSecrets: readonly OwnSecret[];
}

/** `users` are `U…` of the bot's team or `T…/U…` of another team. */
export interface Role extends Written<typeof role> {
  readonly sources?: readonly Source[] | undefined;
}
export type Roles = Readonly<Record<string, Role>>;

/** Gives people a role, from outside of bellhop.yaml and Slack. `key` is the key of a role that names such sources. */
export interface Source {
  readonly key: string;
  readonly name: string;
}

export type Effect = (typeof effects)[number];
export type Risk = (typeof risks)[number];

/**
 * All conditions must match, and absent ones always match. A rule with programs applies to no person, and one without to no program.
 * `arguments` are as parsed by `readRuleValue`. A list must contain only the value or, for a denying rule, contain the value.
 */
export interface Rule extends Pick<
  Written<typeof rule>,
  'name' | 'risk' | 'operations' | 'labels' | 'roles' | 'channels' | 'teams' | 'arguments'
> {
  /** Ids, such as `agent:holmes`. */
  readonly programs?: readonly string[] | undefined;
  readonly effect: Effect;
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly approversAfter?: readonly ApproversAfter[] | undefined;
  readonly typeName: boolean;
  readonly confirmNever?: boolean | undefined;
  /** Roles that may turn approval into confirmation with `--break-glass`. */
  readonly breakGlass: readonly string[];
  /** For people, before they confirm or approve, such as a sign-in. */
  readonly demands?: readonly Demand[] | undefined;
}

/** On people, before they confirm or approve, with the words for it. */
export interface Demand {
  /** The name of the gate. */
  readonly gate: string;
  /** As in “sign in before you confirm”. */
  readonly verb: string;
  /** As in “sign in with SSO”. */
  readonly how: string;
  /** As in “confirm with sign-in”. */
  readonly act: string;
  /** As in “without a login”. */
  readonly noun: string;
}

/** May also approve once a request has waited this long without enough approvals. */
export interface ApproversAfter {
  readonly after: string;
  readonly afterMs: number;
  readonly roles: readonly string[];
}

/** Denies changes to labeled targets. Times are epoch milliseconds. */
export type Freeze = Written<typeof freeze>;

export interface Policy {
  readonly roles: Roles;
  readonly rules: readonly Rule[];
  readonly freeze: readonly Freeze[];
  /** The SHA-256 of the policy's file, which is part of each audit entry. */
  readonly hash: string;
}

/**
 * Forms may use the secret in these fields. If a form names the host to send to, only these hosts and their subdomains are allowed. Your
 * own operations, listed by name or `area.*`, may use it too.
 */
export type SecretBinding = Written<typeof secretBinding>;

export type Limit = Written<typeof limit>;
export type Guard = Written<typeof guard>;

/** `accounts` is on if bellhop.yaml lists any account. */
export type Extension = (typeof extensions)[number] | 'accounts';

/** @param extension if undefined, returns true */
export const isOffered = (
  { extensions: on }: Pick<Rulebook, 'extensions'>,
  extension: Extension | undefined,
): boolean => extension === undefined || on.includes(extension);

export const namesOperation = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));

/** Used by Bellhop itself. */
export interface OwnSecret {
  /** The place in bellhop.yaml that names it. */
  readonly path: readonly [section: string, ...string[]];
  readonly at?: 'key' | undefined;
  /** As written. Only `secret:name` is a secret. */
  readonly reference: string | undefined;
  /** A clause that says what does not work without the value. Undefined if nothing warns of its absence. */
  readonly without?: string | undefined;
  /** A part of Bellhop does not work at all without it. */
  readonly essential?: true | undefined;
}

/** Without `secret:`. */
export const ownSecrets = ({ ownSecrets: used }: Pick<Rulebook, 'ownSecrets'>): ReadonlySet<string> =>
  new Set(used.flatMap(({ reference }) => nameOfSecret(reference) ?? []));

export const nameOfSecret = (reference: string | undefined): string | undefined =>
  reference?.startsWith('secret:') ? reference.slice('secret:'.length) : undefined;

/** At once or after a while. */
export const everAsked = ({ approvers, approversAfter = [] }: Rule): readonly string[] => [
  ...approvers,
  ...approversAfter.flatMap(({ roles }) => roles),
];
