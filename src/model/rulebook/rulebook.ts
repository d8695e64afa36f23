import type { Written } from './schema-parts.ts';
import type { agent, auditSection, forward, hook } from './outside-schema.ts';
import type { effects, freeze, guard, limit, risks, role, rule, secretBinding } from './policy-schema.ts';
import type { extensions, links } from './schema.ts';
import type { identity, jsm, pagerduty } from './people-schema.ts';
import type { Inventory } from './target.ts';

/** The parsed `bellhop.yaml`. Replaced as a whole when the file is reloaded; requests keep the hash of their version. */
export interface Rulebook {
  readonly inventory: Inventory;
  readonly policy: Policy;
  /** The on-call schedules, by name. */
  readonly schedules: Readonly<Record<string, Schedule>>;
  /** The login for rules with `step_up`. */
  readonly identity?: Identity | undefined;
  /** By name, without `secret:`. */
  readonly secrets: Readonly<Record<string, SecretBinding>>;
  /** How long a proposal stays open, in milliseconds. */
  readonly expireAfterMs: number;
  /** How long a running request may be silent before its process counts as dead, in milliseconds. */
  readonly leaseMs: number;
  /** How long a shutdown waits for running work, in milliseconds. Unfinished work ends with its lease. */
  readonly drainMs: number;
  /** The timeout of a read, in milliseconds. */
  readonly readTimeoutMs: number;
  /** How long a change may run before its outcome counts as unknown, in milliseconds. */
  readonly timeoutMs: number;
  /** How long an ended request is kept after its creation, in milliseconds. The audit log is kept permanently. */
  readonly keepMs: number;
  /** The service's extensions. */
  readonly extensions: readonly Extension[];
  /** Pages of the provider's console, `https://…`, with `{project}`, `{region}` and `{id}`. */
  readonly links?: Written<typeof links> | undefined;
  readonly limits: readonly Limit[];
  readonly hooks: Hooks;
  readonly agents: Agents;
  readonly guards: readonly Guard[];
  readonly announce: {
    /** The channel for break-glass announcements; default: the request's channel. */
    readonly breakGlass?: string | undefined;
    /** Roles that are notified privately of a rejected `bellhop.yaml`. */
    readonly brokenRules: readonly string[];
  };
  readonly audit: AuditSettings;
}

/** Settings for proving the audit log to others. */
export interface AuditSettings extends Omit<Written<typeof auditSection>, 'key' | 'forward'> {
  /** The signing keys, `secret:audit-key`; default: this replica's own key. */
  readonly keys: readonly string[];
  readonly forward?: ForwardSettings | undefined;
}

/** The destination for sealed entries. */
export interface ForwardSettings extends Omit<Written<typeof forward>, 'content_type'> {
  readonly contentType: string;
}

/** A role of `bellhop.yaml`. `users` are `U…` of the bot's team or `T…/U…` of another. */
export type Role = Written<typeof role>;
export type Roles = Readonly<Record<string, Role>>;

/** An on-call schedule. A `secret:name` token or address is resolved at each poll. */
export type ScheduleSource =
  | { readonly kind: 'ical'; readonly address: string; readonly timeZone?: string | undefined }
  | ({ readonly kind: 'pagerduty' } & Written<typeof pagerduty>)
  | ({ readonly kind: 'jsm' } & Written<typeof jsm>);

export interface Schedule {
  readonly source: ScheduleSource;
  /** Slack user ids, `U…`, by the people's names on the schedule, in lower case. */
  readonly people: Readonly<Record<string, string>>;
  /** Looks up unlisted people in Slack by their e-mail address. */
  readonly byEmail: boolean;
}

/** Single sign-on, by OpenID Connect. */
export interface Identity extends Pick<Written<typeof identity>, 'issuer' | 'claim'> {
  readonly clientId: string;
  /** `secret:name` */
  readonly clientSecret: string;
  /** The sign-in methods of which one is required, as the issuer names them. */
  readonly acrValues: readonly string[];
  /** Slack's user ids, `U…`, by the values of the claim; e-mail addresses in lower case. */
  readonly people: Readonly<Record<string, string>>;
  /** Anyone not listed is looked up in Slack by their e-mail address. */
  readonly byEmail: boolean;
}

export type Effect = (typeof effects)[number];
export type Risk = (typeof risks)[number];

/**
 * One rule of `bellhop.yaml`. All of its conditions must match; absent ones always do. A rule with agents applies to no person; one
 * without applies to no agent. `arguments` are as parsed by `readRuleValue`; a list must contain only the value, or, for a denying
 * rule, contain it.
 */
export interface Rule extends Pick<
  Written<typeof rule>,
  'name' | 'risk' | 'operations' | 'labels' | 'roles' | 'agents' | 'channels' | 'teams' | 'arguments'
> {
  readonly effect: Effect;
  /** Roles that may approve. */
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly approversAfter?: readonly ApproversAfter[] | undefined;
  readonly typeName: boolean;
  /** Allowed changes run without confirmation. */
  readonly confirmNever?: boolean | undefined;
  /** Roles that may turn approval into confirmation with `--break-glass`. */
  readonly breakGlass: readonly string[];
  /** The person who confirms or approves signs in with SSO first. */
  readonly stepUp?: boolean | undefined;
}

/** Roles that may also approve once a request has waited this long without enough approvals. */
export interface ApproversAfter {
  /** As written: `10m`. */
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
  /** SHA-256 of the file the policy came from; in each audit entry. */
  readonly hash: string;
}

/**
 * Who may use a secret: form fields and, if a form names the host to send to, the allowed hosts and their subdomains;
 * and your own operations, by name or `area.*`.
 */
export type SecretBinding = Written<typeof secretBinding>;

/** A maximum number of changes in a period: per target, per person, or in total. */
export interface Limit extends Omit<Written<typeof limit>, 'at_most' | 'within'> {
  readonly atMost: number;
  readonly withinMs: number;
}

/** A change that leaves fewer than `keep` members of a group running needs an approval. */
export type Guard = Written<typeof guard>;

/** A source of alerts, received at `POST /hooks/<name>`. */
export interface Hook extends Omit<Written<typeof hook>, 'target_label'> {
  /** The label that names a target of the inventory. */
  readonly targetLabel?: string | undefined;
}
export type HookButton = Hook['buttons'][number];
export type HookMapping = NonNullable<Hook['mapping']>;
/** The header with the HMAC-SHA256 of a body in hexadecimal, after a prefix. */
export type HookSignature = NonNullable<Hook['signature']>;
/** By name. */
export type Hooks = Readonly<Record<string, Hook>>;

/** A program that runs reads and suggests changes through `POST /mcp`. */
export interface Agent extends Omit<Written<typeof agent>, 'expire_after'> {
  readonly expireAfterMs: number;
}
/** By name. */
export type Agents = Readonly<Record<string, Agent>>;

/** `accounts` is on if bellhop.yaml lists any. */
export type Extension = (typeof extensions)[number] | 'accounts';

/** Whether the service has this extension; undefined means that none is needed. */
export const isOffered = (
  { extensions: on }: Pick<Rulebook, 'extensions'>,
  extension: Extension | undefined,
): boolean => extension === undefined || on.includes(extension);

/** Whether a pattern of `operations`, such as `cloud.*`, names the operation. */
export const namesOperation = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));

/** A secret that Bellhop itself uses: the path at which the file names it, and its name without `secret:`. */
interface OwnSecret {
  readonly path: readonly [
    section: 'accounts' | 'agents' | 'audit' | 'hooks' | 'identity' | 'schedules',
    ...string[],
  ];
  readonly name: string;
}

/** The secrets that `accounts`, `agents`, `audit`, `hooks`, `identity` and `schedules` use. */
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

/** Their names. */
export const ownSecrets = (rulebook: Parameters<typeof ownSecretsIn>[0]): ReadonlySet<string> =>
  new Set(ownSecretsIn(rulebook).map(({ name }) => name));
