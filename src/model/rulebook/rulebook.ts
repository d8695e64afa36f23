import type { Written } from './schema-parts.ts';
import type { agent, auditSection, forward, hook } from './outside-schema.ts';
import type { effects, freeze, guard, limit, risks, role, rule, secretBinding } from './policy-schema.ts';
import type { extensions, links } from './schema.ts';
import type { identity, jsm, pagerduty } from './people-schema.ts';
import type { Inventory } from './target.ts';

/** The parsed `bellhop.yaml`. A reload of the file replaces the whole rulebook, and requests keep the hash of their version. */
export interface Rulebook {
  readonly inventory: Inventory;
  readonly policy: Policy;
  readonly schedules: Readonly<Record<string, Schedule>>;
  readonly identity?: Identity | undefined;
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
  readonly hooks: Hooks;
  readonly agents: Agents;
  readonly guards: readonly Guard[];
  readonly announce: {
    /** The channel for break-glass announcements. Default: the request's channel. */
    readonly breakGlass?: string | undefined;
    /** Roles that are notified privately of a rejected `bellhop.yaml`. */
    readonly brokenRules: readonly string[];
  };
  readonly audit: AuditSettings;
}

export interface AuditSettings extends Omit<Written<typeof auditSection>, 'key'> {
  /** The signing keys, such as `secret:audit-key`. Default: this replica's own key. */
  readonly keys: readonly string[];
}

export type ForwardSettings = Written<typeof forward>;

/** `users` are `U…` of the bot's team or `T…/U…` of another team. */
export type Role = Written<typeof role>;
export type Roles = Readonly<Record<string, Role>>;

/** A `secret:name` in place of a token or address is resolved at each poll. */
export type ScheduleSource =
  | { readonly kind: 'ical'; readonly address: string; readonly timeZone?: string | undefined }
  | ({ readonly kind: 'pagerduty' } & Written<typeof pagerduty>)
  | ({ readonly kind: 'jsm' } & Written<typeof jsm>);

export interface Schedule {
  readonly source: ScheduleSource;
  /** Slack user ids, `U…`, by the people's names on the schedule, in lower case. */
  readonly people: Readonly<Record<string, string>>;
  /** Whether people who are not listed are looked up in Slack by e-mail address. */
  readonly byEmail: boolean;
}

/** A sign-in has to use one of the methods in `acrValues`, as the issuer names them. */
export interface Identity extends Omit<Written<typeof identity>, 'match'> {
  /** Slack's user ids, `U…`, by the values of the claim. E-mail addresses are in lower case. */
  readonly people: Readonly<Record<string, string>>;
  /** Whether people who are not listed are looked up in Slack by e-mail address. */
  readonly byEmail: boolean;
}

export type Effect = (typeof effects)[number];
export type Risk = (typeof risks)[number];

/**
 * All conditions of a rule must match, and absent conditions always match. A rule with agents applies to no person, and
 * a rule without agents applies to no agent. `arguments` are as parsed by `readRuleValue`. A list must contain only the
 * value or, for a denying rule, contain the value.
 */
export interface Rule extends Pick<
  Written<typeof rule>,
  'name' | 'risk' | 'operations' | 'labels' | 'roles' | 'agents' | 'channels' | 'teams' | 'arguments'
> {
  readonly effect: Effect;
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly approversAfter?: readonly ApproversAfter[] | undefined;
  readonly typeName: boolean;
  readonly confirmNever?: boolean | undefined;
  /** Roles that may turn approval into confirmation with `--break-glass`. */
  readonly breakGlass: readonly string[];
  /** Whether the person who confirms or approves signs in with SSO first. */
  readonly stepUp?: boolean | undefined;
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

/** A source of alerts, received at `POST /hooks/<name>`. */
export type Hook = Written<typeof hook>;
export type HookButton = Hook['buttons'][number];
export type HookMapping = NonNullable<Hook['mapping']>;
/** The header with the HMAC-SHA256 of a body in hexadecimal, after a prefix. */
export type HookSignature = NonNullable<Hook['signature']>;
export type Hooks = Readonly<Record<string, Hook>>;

/** A program that runs reads and suggests changes through `POST /mcp`. */
export type Agent = Written<typeof agent>;
export type Agents = Readonly<Record<string, Agent>>;

/** `accounts` is on if bellhop.yaml lists any account. */
export type Extension = (typeof extensions)[number] | 'accounts';

/** @param extension undefined means that no extension is needed */
export const isOffered = (
  { extensions: on }: Pick<Rulebook, 'extensions'>,
  extension: Extension | undefined,
): boolean => extension === undefined || on.includes(extension);

export const namesOperation = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));

/** A secret that Bellhop itself uses. `path` is where bellhop.yaml names the secret, and `name` is without `secret:`. */
interface OwnSecret {
  readonly path: readonly [
    section: 'accounts' | 'agents' | 'audit' | 'hooks' | 'identity' | 'schedules',
    ...string[],
  ];
  readonly name: string;
}

export function ownSecretsIn({
  agents,
  audit,
  hooks,
  identity,
  inventory,
  schedules,
}: Pick<
  Rulebook,
  'agents' | 'audit' | 'hooks' | 'identity' | 'inventory' | 'schedules'
>): readonly OwnSecret[] {
  const references: readonly (readonly [path: OwnSecret['path'], reference: string | undefined])[] = [
    ...audit.keys.map((key) => [['audit', 'key'], key] as const),
    [['audit', 'forward', 'token'], audit.forward?.token],
    [['identity', 'client_secret'], identity?.clientSecret],
    ...Object.entries(inventory.accounts ?? {}).map(
      ([name, { key }]) => [['accounts', name, 'key'], key] as const,
    ),
    ...Object.entries(agents).map(([name, { token }]) => [['agents', name, 'token'], token] as const),
    ...Object.entries(hooks).map(([name, { secret }]) => [['hooks', name, 'secret'], secret] as const),
    ...Object.entries(schedules).map(
      ([name, { source }]) =>
        [['schedules', name], source.kind === 'ical' ? source.address : source.token] as const,
    ),
  ];
  return references.flatMap(([path, reference]) =>
    reference?.startsWith('secret:') ? [{ path, name: reference.slice('secret:'.length) }] : [],
  );
}

export const ownSecrets = (rulebook: Parameters<typeof ownSecretsIn>[0]): ReadonlySet<string> =>
  new Set(ownSecretsIn(rulebook).map(({ name }) => name));
