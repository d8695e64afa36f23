import { z } from 'zod';

import type { MessageRef } from '../values/actor.ts';
import type { AuditDraft } from './audit.ts';
import { type Suggestion, suggestion } from './suggestion.ts';

/** Alerts with separate messages and a separate budget, so that a storm of others does not hide them. */
export type AlertTier = 'critical' | 'target' | 'other';

/** Limits for a stored group of alerts, in UTF-16 units and items. Foreign text is cut on entry. */
export const alertBounds = {
  key: 1000,
  title: 200,
  text: 1000,
  severity: 40,
  link: 1500,
  runbook: 500,
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

/** The visible part of a group. Text is unescaped and only cut; renderers escape it. */
export const alertContent = z.object({
  title: z.string(),
  text: z.string().optional(),
  /** The worst of the firing alerts. */
  severity: z.string().optional(),
  /** `https://…` */
  link: z.string().optional(),
  /** What to do about it: `https://…` */
  runbook: z.string().optional(),
  /** When it started and ended, in epoch milliseconds. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Some of the alerts: firing ones first, of them those about a target, then the worst. */
  alerts: z.array(alert),
  /** The inventory targets of the firing alerts when they arrived, by name. */
  targets: z.array(z.string()).optional(),
  /** How many alerts there are. */
  firing: z.number().int(),
  total: z.number().int(),
  /** Shown next to the status: `acknowledged by Alice`. */
  note: z.string().optional(),
  /** An agent's suggestion, which is stored as an alert that fires while it is open. */
  suggestion: suggestion.optional(),
});
export type AlertContent = Readonly<z.output<typeof alertContent>>;

/** A group of alerts from its source. */
export interface AlertUpdate {
  /** The source's own name of the group. */
  readonly key: string;
  readonly status: AlertStatus;
  /** Equal for updates without news. */
  readonly digest: string;
  /** When the source made the update, if updates can arrive out of order. */
  readonly sentAt?: number | undefined;
  /**
   * Set if the digest includes the start of each alert. An update with the same digest after the resolution is then an
   * old one that arrived late.
   */
  readonly namesBeginnings?: true | undefined;
  readonly content: AlertContent;
}

/** A stored group. */
export interface AlertGroup {
  readonly status: AlertStatus;
  readonly content: AlertContent;
  /** When the status last changed, in epoch milliseconds. */
  readonly statusAt: number;
}

/** Many groups in one message. */
export interface AlertStorm {
  readonly tier: AlertTier;
  /** Firing groups, and all groups. */
  readonly firing: number;
  readonly total: number;
  /** Titles of firing groups, worst first, then newest; each with its worst, then newest group. */
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
  /** Set once it is posted. */
  readonly ts?: string | undefined;
  readonly version: number;
  /** The version that Slack shows; 0 before it is posted. */
  readonly shownVersion: number;
  readonly openedAt: number;
  readonly group?: AlertGroup | undefined;
  readonly storm?: AlertStorm | undefined;
  /** The title of a group that has a newer message. */
  readonly moved?: string | undefined;
}

/** Whether anything in the message is still firing. */
export const isFiring = ({ group, storm }: AlertMessage): boolean =>
  group ? group.status === 'firing' : (storm?.firing ?? 0) > 0;

/** A change for the audit log. */
export interface AlertChange {
  /** Where it is shown. */
  readonly channel: string;
  readonly update: AlertUpdate;
  /** The group as it fired before; undefined if it did not. */
  readonly before?: AlertContent | undefined;
  /** The storm it belongs to: how many groups it has, and whether this change started or ended it. */
  readonly storm?: { readonly tier: AlertTier; readonly total: number; readonly turned: boolean } | undefined;
}

/** A delivery from a hook, and its destination. */
export interface ReceivedAlerts {
  readonly hook: string;
  readonly channel: string;
  readonly update: AlertUpdate;
  /** When it arrived, in epoch milliseconds. */
  readonly at: number;
  /** The id for a new message, if needed. */
  readonly messageId: string;
  /** Decides how it is shown, given the known alerts; called in the transaction. */
  readonly fold: (known: KnownGroup | undefined, recent: RecentMessages) => Fold;
  /** How severe it is. */
  readonly rank: number;
  /** The audit entries of a change. */
  readonly entries: (change: AlertChange) => readonly AuditDraft[];
}

/** How far back messages, and storms, count as recent, in milliseconds. */
export const recentMs = { messages: 10 * 60_000, storms: 60 * 60_000 } as const;

/** Alerts and their messages. Rejects with BellhopError `store-unavailable`. */
export interface Alerts {
  /** Stores an update with its audit entries, in one transaction. */
  foldAlerts(received: ReceivedAlerts): Promise<Fold>;
  /** Undefined if it is no longer stored, or its group can't be read. */
  findAlertMessage(id: string): Promise<AlertMessage | undefined>;
}

/** The suggestions that a new one has to fit. */
export interface KnownSuggestions {
  /** Open suggestions of all agents. */
  readonly open: readonly Suggestion[];
  /** This agent's suggestions that ended within the last hour. */
  readonly ended: readonly Suggestion[];
  /** This agent's last ended suggestion with the same key. */
  readonly previous: Suggestion | undefined;
}

/** A suggestion that is posted or ends, with its audit entries. */
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
   * Decides: an open suggestion, or a new one to post. Called a second time in the transaction. Pure.
   * @throws BellhopError if it may not be made: nothing is written
   */
  readonly decide: (known: KnownSuggestions) => Suggestion | SuggestedAlert;
}

/** A suggestion, and where people find it. */
export interface PostedSuggestion {
  readonly suggestion: Suggestion;
  readonly messageId: string;
  readonly channel: string;
  /** Set once it is posted. */
  readonly ts: string | undefined;
}

/** Suggestions are kept, shown and folded as alerts. Rejects with BellhopError `store-unavailable`. */
export interface Suggestions {
  /** Resolves to the suggestion that is now open; has `audit` if it is new. */
  suggest(draft: SuggestionDraft): Promise<Pick<SuggestedAlert, 'suggestion'> & Partial<SuggestedAlert>>;
  /** False if it had ended before: nothing is written. */
  endSuggestion(ending: SuggestedAlert): Promise<boolean>;
  /** Undefined once it is no longer kept. @param hook the agent's id */
  findSuggestion(hook: string, id: string): Promise<PostedSuggestion | undefined>;
}

/** The severity already announced; a higher one is news. */
export interface Told {
  readonly rank: number;
  readonly targets: readonly string[];
}

/** A group whose message is still stored. Times are epoch milliseconds. */
export interface KnownGroup {
  readonly status: AlertStatus;
  readonly statusAt: number;
  readonly digest: string;
  /** The digest of the last firing update. */
  readonly firingDigest: string;
  readonly sentAt?: number | undefined;
  readonly told: Told;
  /** Its storm; undefined if it has a separate message. */
  readonly storm?: { readonly tier: AlertTier; readonly firing: number } | undefined;
}

/** A message about a storm. */
export interface RecentStorm {
  readonly id: string;
  readonly tier: AlertTier;
  readonly openedAt: number;
  readonly foldedAt: number;
  /** Its firing groups. */
  readonly firing: number;
}

/** A hook's recent messages. */
export interface RecentMessages {
  /** Groups with separate messages within the window, and those with this title. */
  readonly own: readonly { readonly tier: AlertTier; readonly all: number; readonly ofTitle: number }[];
  /** Storms that began within `recentMs.storms`, newest first. */
  readonly storms: readonly RecentStorm[];
}

/** The effect of an update. */
export type Fold =
  /** `ended`: it is resolved, and was never announced. */
  | { readonly kind: 'nothing'; readonly why: 'repeated' | 'late' | 'ended' }
  /** The group's message changes. */
  | { readonly kind: 'change' }
  | OpenFold;

/** The group gets a separate message, or joins a storm, which is new if it has no id. */
export interface OpenFold {
  readonly kind: 'open';
  readonly in: 'message' | 'storm';
  readonly tier: AlertTier;
  readonly storm?: string | undefined;
}

/** The positions of alert messages in Slack. */
export interface AlertOutbox {
  /** Records the shown version and position; undefined if the message is no longer shown. */
  markAlertShown(message: AlertMessage, shown: MessageRef | undefined): Promise<void>;
}
