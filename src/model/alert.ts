import { z } from 'zod';

import type { MessageRef } from './actor.ts';
import type { AuditDraft } from './audit.ts';
import { type Suggestion, suggestion } from './suggestion.ts';

/** Alerts that get messages of their own within a budget of their own, so that a storm of others hides none of them. */
export type AlertTier = 'critical' | 'target' | 'other';

/** What is kept of a group of alerts, in UTF-16 units and items: text from outside is cut where it enters. */
export const alertBounds = {
  key: 1000,
  title: 200,
  text: 1000,
  severity: 40,
  link: 1500,
  alerts: 10,
  labels: 16,
  labelName: 100,
  labelValue: 200,
  targets: 100,
} as const;

export const alertStatus = z.enum(['firing', 'resolved']);
export type AlertStatus = z.output<typeof alertStatus>;

const labels = z.record(z.string(), z.string());

const alert = z.object({ status: alertStatus, labels, summary: z.string().optional() });
export type Alert = Readonly<z.output<typeof alert>>;

/** What people see of a group. Text is as it came, only cut: whoever shows it escapes it. */
export const alertContent = z.object({
  title: z.string(),
  text: z.string().optional(),
  /** The worst of those that fire. */
  severity: z.string().optional(),
  /** `https://…` */
  link: z.string().optional(),
  /** When it began and ended, in epoch milliseconds. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Some of them: those that fire first, of them those about a target, then the worst. */
  alerts: z.array(alert),
  /** The targets of the inventory that those which fire were about when they came, by name. */
  targets: z.array(z.string()).optional(),
  /** How many there are. */
  firing: z.number().int(),
  total: z.number().int(),
  /** Said beside the status: `acknowledged by Alice`. */
  note: z.string().optional(),
  /** What an agent suggests: then the alert is that, and it fires while it is open. */
  suggestion: suggestion.optional(),
});
export type AlertContent = Readonly<z.output<typeof alertContent>>;

/** A group of alerts as its source tells of it. */
export interface AlertUpdate {
  /** The source's own name of the group. */
  readonly key: string;
  readonly status: AlertStatus;
  /** Alike for what tells nothing new. */
  readonly digest: string;
  /** Where an older update can come after a newer one: when the source made it. */
  readonly sentAt?: number | undefined;
  /** It names the beginning of each alert: the same digest, once resolved, is an old update that comes late. */
  readonly namesBeginnings?: true | undefined;
  readonly content: AlertContent;
}

/** A group as it is kept. */
export interface AlertGroup {
  readonly status: AlertStatus;
  readonly content: AlertContent;
  /** When the status last changed, in epoch milliseconds. */
  readonly statusAt: number;
}

/** Many groups that are told of in one message. */
export interface AlertStorm {
  readonly tier: AlertTier;
  /** Groups that fire, and all that came. */
  readonly firing: number;
  readonly total: number;
  /** Titles of groups that fire, the worst first, then the newest; of each the group that is the worst, then the newest. */
  readonly titles: readonly {
    readonly title: string;
    readonly firing: number;
    readonly content: AlertContent;
    readonly since: number;
  }[];
}

/** A message in Slack about one group, or about a storm of them. */
export interface AlertMessage {
  readonly id: string;
  readonly hook: string;
  readonly channel: string;
  /** Once it is posted. */
  readonly ts?: string | undefined;
  readonly version: number;
  /** The one that Slack shows; 0 before it is posted. */
  readonly shownVersion: number;
  readonly openedAt: number;
  readonly group?: AlertGroup | undefined;
  readonly storm?: AlertStorm | undefined;
  /** The title of a group that a newer message is about now. */
  readonly moved?: string | undefined;
}

/** Whether what the message is about goes on. */
export const isFiring = ({ group, storm }: AlertMessage): boolean =>
  group ? group.status === 'firing' : (storm?.firing ?? 0) > 0;

/** A change that people may want to know of later. */
export interface AlertChange {
  /** Where it is shown. */
  readonly channel: string;
  readonly update: AlertUpdate;
  /** What fired before; undefined where nothing of it did. */
  readonly before?: AlertContent | undefined;
  /** The storm that it is shown in: with how many groups, and whether the whole of it began to fire, or ended, by this. */
  readonly storm?: { readonly tier: AlertTier; readonly total: number; readonly turned: boolean } | undefined;
}

/** What came from a hook, and where it goes. */
export interface ReceivedAlerts {
  readonly hook: string;
  readonly channel: string;
  readonly update: AlertUpdate;
  /** When it came, in epoch milliseconds. */
  readonly at: number;
  /** The id of a message, should it need one. */
  readonly messageId: string;
  /** How it is shown, beside what is known; asked in the transaction. */
  readonly fold: (known: KnownGroup | undefined, recent: RecentMessages) => Fold;
  /** How bad it is. */
  readonly rank: number;
  /** What the audit log says of a change. */
  readonly entries: (change: AlertChange) => readonly AuditDraft[];
}

/** Messages of so long ago count as recent, and storms, in milliseconds. */
export const recentMs = { messages: 10 * 60_000, storms: 60 * 60_000 } as const;

/** Alerts, folded into the messages that tell of them. Rejects with BellhopError `store-unavailable`. */
export interface Alerts {
  /** Takes an update in, with its audit entries, in one transaction. */
  foldAlerts(received: ReceivedAlerts): Promise<Fold>;
  /** Undefined once it is no longer kept, or where its group cannot be read. */
  findAlertMessage(id: string): Promise<AlertMessage | undefined>;
}

/** What a new suggestion meets. */
export interface KnownSuggestions {
  /** Those of all agents that have not ended. */
  readonly open: readonly Suggestion[];
  /** Those of this agent that ended within the last hour. */
  readonly ended: readonly Suggestion[];
  /** The last of this agent with the same key that ended. */
  readonly previous: Suggestion | undefined;
}

/** A suggestion as it is posted, or as it ends, with its audit entries. */
export interface SuggestedAlert {
  readonly suggestion: Suggestion;
  readonly alert: ReceivedAlerts;
  readonly audit: readonly AuditDraft[];
}

/** A suggestion that an agent makes. */
export interface SuggestionDraft extends Pick<Suggestion, 'key' | 'at'> {
  /** The agent's id. */
  readonly hook: string;
  /** The ids of all agents. */
  readonly hooks: readonly string[];
  /**
   * What comes of it, asked in the transaction: one that is open already, or one to be posted.
   * @throws BellhopError where it may not be made: nothing is written
   */
  readonly decide: (known: KnownSuggestions) => Suggestion | SuggestedAlert;
}

/** A suggestion, and where people find it. */
export interface PostedSuggestion {
  readonly suggestion: Suggestion;
  readonly messageId: string;
  readonly channel: string;
  /** Once it is posted. */
  readonly ts: string | undefined;
}

/** Suggestions are kept, shown and folded as alerts. Rejects with BellhopError `store-unavailable`. */
export interface Suggestions {
  /** Resolves to the one that stands then; `audit` where it is new. */
  suggest(draft: SuggestionDraft): Promise<Pick<SuggestedAlert, 'suggestion'> & Partial<SuggestedAlert>>;
  /** False where it had ended before: nothing is written. */
  endSuggestion(ending: SuggestedAlert): Promise<boolean>;
  /** Undefined once it is no longer kept. @param hook the agent's id */
  findSuggestion(hook: string, id: string): Promise<PostedSuggestion | undefined>;
}

/** What people were told since the group has its message: a rise above it is news. */
export interface Told {
  readonly rank: number;
  readonly targets: readonly string[];
}

/** What is known of a group whose message is still kept. Times are epoch milliseconds. */
export interface KnownGroup {
  readonly status: AlertStatus;
  readonly statusAt: number;
  readonly digest: string;
  /** Of the last update that fired. */
  readonly firingDigest: string;
  readonly sentAt?: number | undefined;
  readonly told: Told;
  /** The storm that it is in; undefined with a message of its own. */
  readonly storm?: { readonly tier: AlertTier; readonly firing: number } | undefined;
}

/** A message about a storm. */
export interface RecentStorm {
  readonly id: string;
  readonly tier: AlertTier;
  readonly openedAt: number;
  readonly foldedAt: number;
  /** Groups of it that fire. */
  readonly firing: number;
}

/** What a hook was told lately. */
export interface RecentMessages {
  /** Groups that got a message of their own within the window, and those with the title of this one. */
  readonly own: readonly { readonly tier: AlertTier; readonly all: number; readonly ofTitle: number }[];
  /** Storms that began within `recentMs.storms`, newest first. */
  readonly storms: readonly RecentStorm[];
}

/** What an update comes to. */
export type Fold =
  /** `ended`: it is resolved, and nobody was told that it fired. */
  | { readonly kind: 'nothing'; readonly why: 'repeated' | 'late' | 'ended' }
  /** Its message changes. */
  | { readonly kind: 'change' }
  | OpenFold;

/** It gets a message of its own, or a place in a storm, which is new where it has no id. */
export interface OpenFold {
  readonly kind: 'open';
  readonly in: 'message' | 'storm';
  readonly tier: AlertTier;
  readonly storm?: string | undefined;
}

/** Where messages about alerts stand in Slack. */
export interface AlertOutbox {
  /** It shows its version where it stands, or is shown no more where undefined. */
  markAlertShown(message: AlertMessage, shown: MessageRef | undefined): Promise<void>;
}
