import type { Written } from './schema-parts.ts';
import type { effects, freeze, guard, limit, risks, role, rule, secretBinding } from './policy-schema.ts';
import type { extensions, links } from './schema.ts';
import type { Inventory } from './target.ts';

/** The parsed `bellhop.yaml`. A reload of the file replaces the whole rulebook, and requests keep the hash of their version. */
export interface Rulebook {
  readonly inventory: Inventory;
  readonly policy: Policy;
  /** By name, without `secret:`. */
  readonly secrets: Readonly<Record<string, SecretBinding>>;
  /** How long a proposal stays open, in milliseconds. */
  readonly expireAfterMs: number;
  /** How long a running request may be silent before its process counts as dead, in milliseconds. */
  readonly leaseMs: number;
  /** How long a shutdown waits for running work, in milliseconds. Unfinished work ends with its lease. */
  readonly drainMs: number;
  readonly readTimeoutMs: number;
  /** How long a change may run before its outcome counts as unknown, in milliseconds. */
  readonly timeoutMs: number;
  /** How long an ended request is kept after its creation, in milliseconds. The audit log is kept permanently. */
  readonly keepMs: number;
  readonly extensions: readonly Extension[];
  /** Pages of the provider's console, `https://…`, with `{project}`, `{region}` and `{id}`. */
  readonly links?: Written<typeof links> | undefined;
  readonly limits: readonly Limit[];
  readonly guards: readonly Guard[];
  readonly announce: {
    /** Roles that are notified privately of a rejected `bellhop.yaml`. */
    readonly brokenRules: readonly string[];
  };
  /** The keys that sign the audit log, such as `secret:audit-key`. Default: this replica's own key. */
  readonly auditKeys: readonly string[];
  /** The parts that belong to one feature, by the name of their section. */
  readonly sections: Readonly<Record<string, unknown>>;
  readonly ownSecrets: readonly OwnSecret[];
}

/** `users` are `U…` of the bot's team or `T…/U…` of another team. */
export interface Role extends Written<typeof role> {
  readonly sources?: readonly Source[] | undefined;
}
export type Roles = Readonly<Record<string, Role>>;

/**
 * A source outside of bellhop.yaml and Slack that gives people a role. `key` is the key of a role that names such
 * sources.
 */
export interface Source {
  readonly key: string;
  readonly name: string;
}

export type Effect = (typeof effects)[number];
export type Risk = (typeof risks)[number];

/**
 * All conditions of a rule must match, and absent conditions always match. A rule with programs applies to no person, and
 * a rule without programs applies to no program. `arguments` are as parsed by `readRuleValue`. A list must contain only the
 * value or, for a denying rule, contain the value.
 */
export interface Rule extends Pick<
  Written<typeof rule>,
  'name' | 'risk' | 'operations' | 'labels' | 'roles' | 'channels' | 'teams' | 'arguments'
> {
  /** The ids of programs, such as `agent:holmes`. */
  readonly programs?: readonly string[] | undefined;
  readonly effect: Effect;
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly approversAfter?: readonly ApproversAfter[] | undefined;
  readonly typeName: boolean;
  readonly confirmNever?: boolean | undefined;
  /** Roles that may turn approval into confirmation with `--break-glass`. */
  readonly breakGlass: readonly string[];
  /** The steps that people have to take before they confirm or approve, such as a sign-in. */
  readonly demands?: readonly Demand[] | undefined;
}

/** A rule's demand on people before they confirm or approve, with the words for it. */
export interface Demand {
  /** The name of the gate for this step. */
  readonly gate: string;
  /** The verb for the step, as in “sign in before you confirm”. */
  readonly verb: string;
  /** The verb with more detail, as in “sign in with SSO”. */
  readonly how: string;
  /** The step as a noun for the act, as in “confirm with sign-in”. */
  readonly act: string;
  /** The noun for its result, as in “without a login”. */
  readonly noun: string;
}

/** Roles that may also approve once a request has waited this long without enough approvals. */
export interface ApproversAfter {
  readonly after: string;
  readonly afterMs: number;
  readonly roles: readonly string[];
}

/** A window in which changes to labelled targets are denied. Times are epoch milliseconds. */
export type Freeze = Written<typeof freeze>;

export interface Policy {
  readonly roles: Roles;
  readonly rules: readonly Rule[];
  readonly freeze: readonly Freeze[];
  /** The SHA-256 of the policy's file, which is part of each audit entry. */
  readonly hash: string;
}

/**
 * The permitted uses of a secret. Forms may use the secret in these fields. If a form names the host to send to, only these hosts
 * and their subdomains are allowed. Your own operations, listed by name or `area.*`, may use the secret too.
 */
export type SecretBinding = Written<typeof secretBinding>;

export type Limit = Written<typeof limit>;
export type Guard = Written<typeof guard>;

/** `accounts` is on if bellhop.yaml lists any account. */
export type Extension = (typeof extensions)[number] | 'accounts';

/** @param extension if undefined, no extension is needed, and this returns true */
export const isOffered = (
  { extensions: on }: Pick<Rulebook, 'extensions'>,
  extension: Extension | undefined,
): boolean => extension === undefined || on.includes(extension);

export const namesOperation = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));

/** A secret that Bellhop itself uses. */
export interface OwnSecret {
  /** The place in bellhop.yaml that names the secret. */
  readonly path: readonly [section: string, ...string[]];
  readonly at?: 'key' | undefined;
  /** As written. Only `secret:name` is a secret. */
  readonly reference: string | undefined;
  /** A clause that says what does not work without the secret's value. Undefined if nothing warns of its absence. */
  readonly without?: string | undefined;
  /** Whether a part of Bellhop does not work at all without it. */
  readonly essential?: true | undefined;
}

/** The names of secrets that Bellhop itself uses, without `secret:`. */
export const ownSecrets = ({ ownSecrets: used }: Pick<Rulebook, 'ownSecrets'>): ReadonlySet<string> =>
  new Set(used.flatMap(({ reference }) => nameOfSecret(reference) ?? []));

export const nameOfSecret = (reference: string | undefined): string | undefined =>
  reference?.startsWith('secret:') ? reference.slice('secret:'.length) : undefined;

/** The roles that may approve, at once or after a while. */
export const everAsked = ({ approvers, approversAfter = [] }: Rule): readonly string[] => [
  ...approvers,
  ...approversAfter.flatMap(({ roles }) => roles),
];
