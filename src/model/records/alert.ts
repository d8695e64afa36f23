import { z } from 'zod';

import type { MessageRef } from '../values/actor.ts';
import type { AuditDraft } from './audit.ts';
import { dueKind } from './due.ts';
import { type Suggestion, suggestion } from './suggestion.ts';

/** The message that shows alerts in Slack is out of date. */
export const alertKind = dueKind('alert');

/** Each tier has its own messages and budget, so that a storm in one tier does not hide alerts of another. */
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
  firing: 1000,
  senders: 8,
} as const;

export const alertStatus = z.enum(['firing', 'resolved']);
export type AlertStatus = z.output<typeof alertStatus>;

const labels = z.record(z.string(), z.string());

const alert = z.object({
  status: alertStatus,
  labels,
  summary: z.string().optional(),
  /** The source's fingerprint of the alert. */
  id: z.string().optional(),
});
export type Alert = Readonly<z.output<typeof alert>>;

/** The visible part of a group. Text is unescaped and only cut. Renderers escape it. */
export const alertContent = z.object({
  title: z.string(),
  text: z.string().optional(),
  severity: z.string().optional(),
  link: z.string().optional(),
  /** A page on what to do about the alert, `https://…`. */
  runbook: z.string().optional(),
  /** When the group started and ended, in epoch milliseconds. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Some of the alerts. Firing alerts come first, among them those about a target, then the worst. */
  alerts: z.array(alert),
  /** The names of the firing alerts' targets in the inventory, as of their arrival. */
  targets: z.array(z.string()).optional(),
  /** The machines or objects of the firing alerts, in the inventory or not. If none fires, those of all alerts. */
  on: z.array(z.string()).optional(),
  /** The labels that the source made the group by. */
  group: labels.optional(),
  firing: z.number().int(),
  total: z.number().int(),
  /** How many of the alerts the source omitted from its update. */
  unread: z.number().int().optional(),
  note: z.string().optional(),
  /** The alert that this alert was merged into, if it ended so. */
  mergedInto: z.string().optional(),
  /** An agent's suggestion, which is stored as an alert that fires while the suggestion is open. */
  suggestion: suggestion.optional(),
});
export type AlertContent = Readonly<z.output<typeof alertContent>>;

export interface AlertUpdate {
  readonly key: string;
  readonly status: AlertStatus;
  /** Equal for updates without news. */
  readonly digest: string;
  /** When the source made the update, if updates can arrive out of order. */
  readonly sentAt?: number | undefined;
  /** A digest of the alerts and of when each began, whether they fire or not. Undefined if the source does not say. */
  readonly beginnings?: string | undefined;
  /** The alerts of the group that the update names, if the source identifies each. */
  readonly named?: NamedAlerts | undefined;
  readonly content: AlertContent;
}

/** One firing alert of a group. */
const firingAlert = z.object({
  id: z.string(),
  /** The same for alerts whose labels differ only in their severity. */
  like: z.string(),
  sender: z.string(),
  /** Equal for alerts that one update of one sender named together. */
  batch: z.string(),
  severity: z.string().optional(),
  target: z.string().optional(),
  on: z.string().optional(),
});
export type FiringAlert = Readonly<z.output<typeof firingAlert>>;

export interface NamedAlerts {
  readonly sender: string;
  readonly ids: ReadonlySet<string>;
  readonly firing: readonly FiringAlert[];
  /** Whether the group has more alerts than the update names. */
  readonly isPartial: boolean;
}

export interface AlertGroup {
  readonly status: AlertStatus;
  readonly content: AlertContent;
  /** When the status last changed, in epoch milliseconds. */
  readonly statusAt: number;
}

export interface AlertStorm {
  readonly tier: AlertTier;
  /** How many groups are firing. `total` counts all groups. */
  readonly firing: number;
  readonly total: number;
  /** Titles of firing groups, the worst first, then the newest. Each has the content of its worst, then newest group. */
  readonly titles: readonly {
    readonly title: string;
    readonly firing: number;
    readonly content: AlertContent;
    readonly since: number;
  }[];
}

export interface AlertMessage {
  readonly id: string;
  readonly hook: string;
  readonly channel: string;
  readonly ts?: string | undefined;
  readonly version: number;
  /** The version that Slack shows, or 0 before the message is posted. */
  readonly shownVersion: number;
  readonly openedAt: number;
  readonly group?: AlertGroup | undefined;
  readonly storm?: AlertStorm | undefined;
  /** The title of a group that has a newer message. */
  readonly moved?: string | undefined;
}

export const isFiring = ({ group, storm }: AlertMessage): boolean =>
  group ? group.status === 'firing' : (storm?.firing ?? 0) > 0;

export interface AlertChange {
  readonly channel: string;
  readonly update: AlertUpdate;
  /** The group as it fired before. Undefined if it did not fire. */
  readonly before?: AlertContent | undefined;
  /** The storm of the group, with the number of groups in it and whether this change started or ended the storm. */
  readonly storm?: { readonly tier: AlertTier; readonly total: number; readonly turned: boolean } | undefined;
}

export interface ReceivedAlerts {
  readonly hook: string;
  readonly channel: string;
  readonly update: AlertUpdate;
  /** When the update arrived, in epoch milliseconds. */
  readonly at: number;
  readonly messageId: string;
  /** Decides how the update is shown, given the known alerts. Called in the transaction. */
  readonly fold: (known: KnownGroup | undefined, recent: RecentMessages) => FoldedGroup;
  readonly entries: (change: AlertChange) => readonly AuditDraft[];
}

/** How long ago messages and storms may have begun to count as recent, in milliseconds. */
export const recentMs = { messages: 10 * 60_000, storms: 60 * 60_000 } as const;

/** Alerts and their messages. Rejects with BellhopError `store-unavailable`. */
export interface Alerts {
  foldAlerts(received: ReceivedAlerts): Promise<Fold>;
  /** Resolves to undefined if the message is no longer stored, or its group can't be read. */
  findAlertMessage(id: string): Promise<AlertMessage | undefined>;
  /** Records the shown version and position. `shown` is undefined if the message is no longer shown. */
  markAlertShown(message: AlertMessage, shown: MessageRef | undefined): Promise<void>;
}

export interface KnownSuggestions {
  readonly open: readonly Suggestion[];
  /** This agent's suggestions that ended within the last hour. */
  readonly ended: readonly Suggestion[];
  /** This agent's last ended suggestion with the same key. */
  readonly previous: Suggestion | undefined;
}

export interface SuggestedAlert {
  readonly suggestion: Suggestion;
  readonly alert: ReceivedAlerts;
  readonly audit: readonly AuditDraft[];
}

export interface SuggestionDraft extends Pick<Suggestion, 'key' | 'at'> {
  /** The agent's id. */
  readonly hook: string;
  /** The ids of all agents. */
  readonly hooks: readonly string[];
  /**
   * Returns an open suggestion, or a new one to post. Called a second time in the transaction. Pure.
   * @throws BellhopError if the suggestion may not be made, so that nothing is written
   */
  readonly decide: (known: KnownSuggestions) => Suggestion | SuggestedAlert;
}

export interface PostedSuggestion {
  readonly suggestion: Suggestion;
  readonly messageId: string;
  readonly channel: string;
  readonly ts: string | undefined;
}

/** Suggestions are kept, shown and folded as alerts. Rejects with BellhopError `store-unavailable`. */
export interface Suggestions {
  /** Resolves to the suggestion that is now open, with `audit` if the suggestion is new. */
  suggest(draft: SuggestionDraft): Promise<Pick<SuggestedAlert, 'suggestion'> & Partial<SuggestedAlert>>;
  /** Resolves to false if the suggestion had ended before. Nothing is written then. */
  endSuggestion(ending: SuggestedAlert): Promise<boolean>;
  /** Resolves to undefined once the suggestion is no longer kept. @param hook the agent's id */
  findSuggestion(hook: string, id: string): Promise<PostedSuggestion | undefined>;
}

/** The memory of a group: the rank and targets already announced, the firing alerts, and when alerts last ended. */
export const told = z.object({
  /** A higher rank, or another target, is news. */
  rank: z.number(),
  targets: z.array(z.string()),
  firing: z.array(firingAlert).optional(),
  /** `late` are the senders that still reported the old alerts as firing. */
  ended: z.object({ at: z.number(), late: z.array(z.string()) }).optional(),
});
export type Told = Readonly<z.output<typeof told>>;

/** A group that is still stored. Times are epoch milliseconds. */
export interface KnownGroup {
  readonly status: AlertStatus;
  readonly statusAt: number;
  readonly digest: string;
  readonly beginnings: string;
  /** Undefined if unreadable. */
  readonly content?: AlertContent | undefined;
  /** When the message of the group began. Undefined if only the end of the group arrived, so that it has no message. */
  readonly openedAt?: number | undefined;
  readonly sentAt?: number | undefined;
  readonly told: Told;
  /** The storm of the group. Undefined if the group has a separate message. */
  readonly storm?: { readonly tier: AlertTier; readonly firing: number } | undefined;
}

export interface RecentStorm {
  readonly id: string;
  readonly tier: AlertTier;
  readonly openedAt: number;
  readonly foldedAt: number;
  readonly firing: number;
}

export interface RecentMessages {
  /** Counts, per tier, recent groups with separate messages. `ofTitle` counts those with the title of the update. */
  readonly own: readonly { readonly tier: AlertTier; readonly all: number; readonly ofTitle: number }[];
  /** Storms that began within `recentMs.storms`, newest first. */
  readonly storms: readonly RecentStorm[];
}

/** How an update is shown, and what is stored of it: its group with the alerts that other senders reported. */
export interface FoldedGroup {
  readonly fold: Fold;
  readonly update: AlertUpdate;
  readonly rank: number;
  readonly told: Told;
}

export type Fold =
  /** `ended` means that the group is resolved and was never announced. */
  | { readonly kind: 'nothing'; readonly why: 'repeated' | 'late' | 'ended' }
  | { readonly kind: 'change' }
  | OpenFold;

/** The group gets a separate message, or joins a storm. The storm is new if it has no id. */
export interface OpenFold {
  readonly kind: 'open';
  readonly in: 'message' | 'storm';
  readonly tier: AlertTier;
  readonly storm?: string | undefined;
}
