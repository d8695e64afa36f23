import type { Inventory } from './target.ts';

/** What `bellhop.yaml` says, parsed. Replaced as a whole when the file is reloaded; requests keep the hash they saw. */
export interface Rulebook {
  readonly inventory: Inventory;
  readonly policy: Policy;
  /** By name: who is on call. */
  readonly schedules: Readonly<Record<string, Schedule>>;
  /** Where people sign in for what a rule with `step_up` lets run. */
  readonly identity?: Identity | undefined;
  /** By name, without `secret:`. */
  readonly secrets: Readonly<Record<string, SecretBinding>>;
  /** How long a proposal stays open, in milliseconds. */
  readonly expireAfterMs: number;
  /** How long a running request may be silent before it is taken for crashed, in milliseconds. */
  readonly leaseMs: number;
  /** How long running work is waited for after a stop, in milliseconds. What still runs then is left to its lease. */
  readonly drainMs: number;
  /** How long a read may take until it is given up, in milliseconds. */
  readonly readTimeoutMs: number;
  /** How long a change may run until its outcome is unknown, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a settled request is kept after it was made, in milliseconds. The audit is kept for good. */
  readonly keepMs: number;
  /** What the service offers beyond the interface. */
  readonly extensions: readonly Extension[];
  /** Pages of the service for people, `https://…`, with `{project}`, `{region}` and `{id}` in them. */
  readonly links?: { readonly instance?: string | undefined } | undefined;
  readonly limits: readonly Limit[];
  readonly hooks: Hooks;
  readonly agents: Agents;
  readonly guards: readonly Guard[];
  readonly announce: {
    /** The channel that is told of broken glass; undefined: the channel of the request. */
    readonly breakGlass?: string | undefined;
    /** Roles whose people are told privately of a changed `bellhop.yaml` that is refused. */
    readonly brokenRules: readonly string[];
  };
  readonly audit: AuditSettings;
}

/** How the audit log is proved to others. */
export interface AuditSettings {
  /** What signs it, `secret:audit-key`; none: a key of this replica's own. */
  readonly keys: readonly string[];
  /** The channel that gets a checkpoint once a day. */
  readonly channel?: string | undefined;
  /** Where each checkpoint goes: `https://…`, or the absolute path of a folder. */
  readonly publish: readonly string[];
  /** Who cosigns it: an address, and a verifier key. */
  readonly witnesses: readonly { readonly url: string; readonly key: string }[];
  readonly forward?: ForwardSettings | undefined;
}

/** Where sealed entries are sent as they come. */
export interface ForwardSettings {
  readonly url: string;
  /** `secret:name` */
  readonly token: string;
  /** The number of the entry that this destination begins with; `now`: the next one to be sealed. */
  readonly from: number | 'now';
  /** What JSON lines are called. */
  readonly contentType: string;
}

/** A role of `bellhop.yaml`. `users` are `U…` of the own team or `T…/U…` of another. */
export interface Role {
  readonly users: readonly string[];
  readonly usergroups: readonly string[];
  /** The schedule whose people hold it while they are on call. */
  readonly schedule?: string | undefined;
}

/** Where it is written who is on call. A token or address that is `secret:name` is looked up when it is asked. */
export type ScheduleSource =
  | {
      readonly kind: 'ical';
      /** `https://…`, `secret:name`, or `local` for the one of the playground. */
      readonly address: string;
      /** IANA zone of what names none, such as whole days. */
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
      /** The e-mail address of the account that the token is of. */
      readonly user: string;
      readonly token: string;
    };

export interface Schedule {
  readonly source: ScheduleSource;
  /** Slack's user ids, `U…`, by what the schedule calls people, in small letters. */
  readonly people: Readonly<Record<string, string>>;
  /** Whoever is not listed is looked up in Slack by their e-mail address. */
  readonly byEmail: boolean;
}

/** The company's login, by OpenID Connect. */
export interface Identity {
  /** `https://…`, or `http://…` of this machine; `local`: the one of the playground. */
  readonly issuer: string;
  readonly clientId: string;
  /** `secret:name` */
  readonly clientSecret: string;
  /** What of the ID token names the person. */
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

/** One rule of `bellhop.yaml`. An absent condition holds always; every present one must hold. */
export interface Rule {
  /** How people call it; else it goes by its number alone. */
  readonly name?: string | undefined;
  readonly risk?: readonly Risk[] | undefined;
  /** Names or `area.*`. */
  readonly operations?: readonly string[] | undefined;
  /** Each must be on the target with this value. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Any of these. Only a rule that denies may leave it out, and then it holds for everybody. */
  readonly roles?: readonly string[] | undefined;
  /** The agents that the rule is for. With these it is for no person, and a rule without is for no agent. */
  readonly agents?: readonly string[] | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly teams?: readonly string[] | undefined;
  /** Fields that must have this effective value, as `readRuleValue` gives it; a list must have it alone, or where the rule denies, among others. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  readonly effect: Effect;
  /** Roles of which others may approve. */
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly typeName: boolean;
  /** What it allows runs at once also where it changes something. */
  readonly confirmNever?: boolean | undefined;
  /** Roles that may turn approval into confirmation with `--break-glass`. */
  readonly breakGlass: readonly string[];
  /** Whoever lets it run signs in with the company's login first. */
  readonly stepUp?: boolean | undefined;
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
  /** Left out: any. */
  readonly hosts?: readonly string[] | undefined;
}

/** Names, without `secret:`, of the secrets that `agents`, `audit`, `hooks`, `identity` and `schedules` use. */
export function ownSecrets({
  agents,
  audit,
  hooks,
  identity,
  schedules,
}: Pick<Rulebook, 'agents' | 'audit' | 'hooks' | 'identity' | 'schedules'>): ReadonlySet<string> {
  const references = [
    ...audit.keys,
    audit.forward?.token,
    identity?.clientSecret,
    ...Object.values(agents).map(({ token }) => token),
    ...Object.values(hooks).map(({ secret }) => secret),
    ...Object.values(schedules).map(scheduleReference),
  ];
  return new Set(references.flatMap((reference) => secretNamed(reference) ?? []));
}

/** The secret that a schedule is asked with, without `secret:`. */
export const scheduleSecret = (schedule: Schedule): string | undefined =>
  secretNamed(scheduleReference(schedule));

const scheduleReference = ({ source }: Schedule): string =>
  source.kind === 'ical' ? source.address : source.token;

const secretNamed = (reference: string | undefined): string | undefined =>
  reference?.startsWith('secret:') ? reference.slice('secret:'.length) : undefined;

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

/** `read` looks, `change` alters settings or adds a record, `destructive` interrupts a service. */
export const risks = ['read', 'change', 'destructive'] as const;
export type Risk = (typeof risks)[number];

/** What a service may offer beyond the interface. `extensions:` of bellhop.yaml names those that it has. */
export const extensions = [
  'instance-list',
  'instance-read',
  'instance-actions',
  'tasks',
  'floating-ip-list',
  'event-changes',
  'cdn-purge',
] as const;

export type Extension = (typeof extensions)[number];

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

/** Where in a JSON body a thing stands: the first of these paths of names and numbers at which there is something. */
type Paths = readonly string[];

export interface HookMapping {
  readonly title: Paths;
  readonly text?: Paths | undefined;
  readonly key?: Paths | undefined;
  readonly status?: Paths | undefined;
  readonly target?: Paths | undefined;
  readonly link?: Paths | undefined;
  readonly severity?: Paths | undefined;
  /** Values of the status that end the alert, and those of which nothing is shown. */
  readonly resolved?: readonly string[] | undefined;
  readonly ignored?: readonly string[] | undefined;
}

/** The header that has the HMAC-SHA256 of a body in hexadecimal, behind a prefix. */
export interface HookSignature {
  readonly header: string;
  readonly prefix: string;
}

/** A source of alerts, received at `POST /hooks/<name>`. */
export interface Hook {
  /** `secret:name`: what the sender shows, or signs with. */
  readonly secret: string;
  readonly channel: string;
  readonly kind: HookKind;
  /** The label that names a target of the inventory. */
  readonly targetLabel?: string | undefined;
  readonly buttons: readonly HookButton[];
  /** Of a generic hook. */
  readonly mapping?: HookMapping | undefined;
  /** Of a generic hook that signs instead of showing the secret. */
  readonly signature?: HookSignature | undefined;
}

/** By name. */
export type Hooks = Readonly<Record<string, Hook>>;

/** A program that reads through `POST /mcp`, and suggests changes there. */
export interface Agent {
  /** `secret:name`: what it shows. */
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
