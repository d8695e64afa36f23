import type { Inventory } from './target.ts';

/** The parsed `bellhop.yaml`. Replaced as a whole when the file is reloaded; requests keep the hash of their version. */
export interface Rulebook {
  readonly inventory: Inventory;
  readonly policy: Policy;
  /** By name: who is on call. */
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
  /** How long a change may run until its outcome is unknown, in milliseconds. */
  readonly timeoutMs: number;
  /** How long an ended request is kept after its creation, in milliseconds. The audit log is kept permanently. */
  readonly keepMs: number;
  /** The service's extensions. */
  readonly extensions: readonly Extension[];
  /** Pages of the provider's console, `https://…`, with `{project}`, `{region}` and `{id}`. */
  readonly links?: { readonly instance?: string | undefined } | undefined;
  readonly limits: readonly Limit[];
  readonly hooks: Hooks;
  readonly agents: Agents;
  readonly guards: readonly Guard[];
  readonly announce: {
    /** The channel for break-glass announcements; undefined: the request's own. */
    readonly breakGlass?: string | undefined;
    /** Roles that are notified privately of a rejected `bellhop.yaml`. */
    readonly brokenRules: readonly string[];
  };
  readonly audit: AuditSettings;
}

/** Settings for proving the audit log to others. */
export interface AuditSettings {
  /** The signing key, `secret:audit-key`; default: a key of this replica. */
  readonly keys: readonly string[];
  /** The channel that gets a checkpoint once a day. */
  readonly channel?: string | undefined;
  /** The destination of checkpoints: `https://…`, or the absolute path of a folder. */
  readonly publish: readonly string[];
  /** The witnesses: an address and a verifier key each. */
  readonly witnesses: readonly { readonly url: string; readonly key: string }[];
  readonly forward?: ForwardSettings | undefined;
}

/** The destination for sealed entries. */
export interface ForwardSettings {
  readonly url: string;
  /** `secret:name` */
  readonly token: string;
  /** The number of the first entry for this destination; `now`: the next one to be sealed. */
  readonly from: number | 'now';
  /** The content type of JSON lines. */
  readonly contentType: string;
}

/** A role of `bellhop.yaml`. `users` are `U…` of the own team or `T…/U…` of another. */
export interface Role {
  readonly users: readonly string[];
  readonly usergroups: readonly string[];
  /** The schedule whose people hold the role while on call. */
  readonly schedule?: string | undefined;
}

/** An on-call schedule. A `secret:name` token or address is resolved at each poll. */
export type ScheduleSource =
  | {
      readonly kind: 'ical';
      /** `https://…`, `secret:name`, or `local` for the playground's calendar. */
      readonly address: string;
      /** IANA zone for events without one, such as whole days. */
      readonly timeZone?: string | undefined;
    }
  | {
      readonly kind: 'pagerduty';
      readonly baseUrl: string;
      /** `P…` */
      readonly schedule: string;
      /** The escalation level, from 1. */
      readonly level: number;
      readonly token: string;
    }
  | {
      readonly kind: 'jsm';
      readonly baseUrl: string;
      readonly cloud: string;
      readonly schedule: string;
      /** The e-mail address of the token's account. */
      readonly user: string;
      readonly token: string;
    };

export interface Schedule {
  readonly source: ScheduleSource;
  /** Slack user ids, `U…`, by the people's names on the schedule, in lower case. */
  readonly people: Readonly<Record<string, string>>;
  /** Looks up unlisted people in Slack by their e-mail address. */
  readonly byEmail: boolean;
}

/** The company's login, by OpenID Connect. */
export interface Identity {
  /** `https://…`, or `http://…` of this machine; `local`: the one of the playground. */
  readonly issuer: string;
  readonly clientId: string;
  /** `secret:name` */
  readonly clientSecret: string;
  /** The claim of the ID token that names the person. */
  readonly claim: string;
  /** Ways to sign in of which one is required, in the words of the issuer. */
  readonly acrValues: readonly string[];
  /** Slack's user ids, `U…`, by the values of the claim; e-mail addresses in small letters. */
  readonly people: Readonly<Record<string, string>>;
  /** Anyone not listed is looked up in Slack by their e-mail address. */
  readonly byEmail: boolean;
}

export type Roles = Readonly<Record<string, Role>>;

export const effects = ['allow', 'confirm', 'approve', 'deny'] as const;
export type Effect = (typeof effects)[number];

/** One rule of `bellhop.yaml`. All of its conditions must match; absent ones always do. */
export interface Rule {
  /** Its name; otherwise it is shown by number. */
  readonly name?: string | undefined;
  readonly risk?: readonly Risk[] | undefined;
  /** Names or `area.*`. */
  readonly operations?: readonly string[] | undefined;
  /** Each must be on the target with this value. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Any of these. Only a denying rule may omit it; it then applies to everyone. */
  readonly roles?: readonly string[] | undefined;
  /** The agents that the rule applies to. A rule with agents applies to no person; one without applies to no agent. */
  readonly agents?: readonly string[] | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly teams?: readonly string[] | undefined;
  /** Fields that must have this effective value, as parsed by `readRuleValue`; a list must contain only it, or, for a denying rule, contain it. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
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
  /** The person who confirms or approves signs in with the company's login first. */
  readonly stepUp?: boolean | undefined;
}

/** Roles that may approve, too, once a request has waited for so long without enough approvals. */
export interface ApproversAfter {
  /** As written: `10m`. */
  readonly after: string;
  readonly afterMs: number;
  readonly roles: readonly string[];
}

/** A window in which changes to labelled targets are denied. Times are epoch milliseconds. */
export interface Freeze {
  readonly labels: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
  readonly except: readonly string[];
  readonly reason?: string | undefined;
}

export interface Policy {
  readonly roles: Roles;
  readonly rules: readonly Rule[];
  readonly freeze: readonly Freeze[];
  /** SHA-256 of the file the policy came from; in each audit entry. */
  readonly hash: string;
}

/**
 * Who may have a secret: fields of forms, and where those say a host, to which hosts and those below them; and operations of
 * your own, by name or `area.*`.
 */
export interface SecretBinding {
  readonly fields: readonly string[];
  readonly operations: readonly string[];
  /** Default: any. */
  readonly hosts?: readonly string[] | undefined;
}

/** A secret that Bellhop itself uses: where the file names it, and its name, without `secret:`. */
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

/** A maximum number of changes per time: per target, per person, or in total. */
export interface Limit {
  readonly per: 'target' | 'person' | 'all';
  readonly atMost: number;
  readonly withinMs: number;
  /** Names or `area.*`. Default: all changes. */
  readonly operations?: readonly string[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** A change that leaves fewer than `keep` members of a group running needs an approval. */
export interface Guard {
  readonly labels: Readonly<Record<string, string>>;
  readonly keep: number;
  readonly approvers: readonly string[];
}

/** The longest lease, in milliseconds. A longer one was written before the clock was set back. */
export const longestLeaseMs = 10 * 60_000;

/** `read` changes nothing, `change` alters settings or adds a record, `destructive` interrupts a service. */
export const risks = ['read', 'change', 'destructive'] as const;
export type Risk = (typeof risks)[number];

/** Optional features of a service. `extensions:` in bellhop.yaml lists those it has. */
export const extensions = [
  'instance-list',
  'instance-read',
  'instance-actions',
  'tasks',
  'floating-ip-list',
  'event-changes',
  'cdn-purge',
] as const;

/** `accounts` is on where bellhop.yaml lists some. */
export type Extension = (typeof extensions)[number] | 'accounts';

/** Whether the service has what something needs; undefined needs nothing. */
export const isOffered = (
  { extensions: on }: Pick<Rulebook, 'extensions'>,
  extension: Extension | undefined,
): boolean => extension === undefined || on.includes(extension);

/** What posts alerts to Bellhop: Alertmanager's webhook (Grafana's too), PagerDuty's version 3, or any JSON with a mapping. */
export const hookKinds = ['alertmanager', 'pagerduty', 'generic'] as const;

export type HookKind = (typeof hookKinds)[number];

/** A command under an alert. */
export interface HookButton {
  /** Each label must have one of its values. */
  readonly when: Readonly<Record<string, readonly string[]>>;
  /** As typed, `/cloud reboot {target}`; checked when the file was read. */
  readonly run: string;
  readonly label?: string | undefined;
}

/** Paths into a JSON body; the first one with a value is used. */
type Paths = readonly string[];

export interface HookMapping {
  readonly title: Paths;
  readonly text?: Paths | undefined;
  readonly key?: Paths | undefined;
  readonly status?: Paths | undefined;
  readonly target?: Paths | undefined;
  readonly link?: Paths | undefined;
  readonly severity?: Paths | undefined;
  /** Status values that resolve the alert, and those that are ignored. */
  readonly resolved?: readonly string[] | undefined;
  readonly ignored?: readonly string[] | undefined;
}

/** The header with the HMAC-SHA256 of a body in hexadecimal, after a prefix. */
export interface HookSignature {
  readonly header: string;
  readonly prefix: string;
}

/** A source of alerts, received at `POST /hooks/<name>`. */
export interface Hook {
  /** `secret:name`: the sender's token or signing key. */
  readonly secret: string;
  readonly channel: string;
  readonly kind: HookKind;
  /** The label that names a target of the inventory. */
  readonly targetLabel?: string | undefined;
  readonly buttons: readonly HookButton[];
  /** For a generic hook. */
  readonly mapping?: HookMapping | undefined;
  /** For a generic hook that signs instead of sending the secret. */
  readonly signature?: HookSignature | undefined;
}

/** By name. */
export type Hooks = Readonly<Record<string, Hook>>;

/** A program that runs reads and suggests changes through `POST /mcp`. */
export interface Agent {
  /** `secret:name`: its token. */
  readonly token: string;
  /** Where its suggestions are posted. */
  readonly channel: string;
  /** How many an hour. */
  readonly suggestions: number;
  /** How many at once. */
  readonly open: number;
  /** How long each waits for a person, in milliseconds. */
  readonly expireAfterMs: number;
}

/** By name. */
export type Agents = Readonly<Record<string, Agent>>;
