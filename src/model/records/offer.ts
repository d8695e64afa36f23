import { z } from 'zod';

import type { BellhopError } from '../values/errors.ts';
import type { MessageRef } from '../values/actor.ts';
import type { AuditDraft } from './audit.ts';
import { type DueDraft, dueKind } from './due.ts';

/** The message of an offer in Slack is out of date. */
export const offerKind = dueKind('alert');

/**
 * An offer is a message in a channel with commands as buttons. Features make offers: each offer shows a group of a
 * source, or many groups at once, as a storm. An offer is open while something in it fires.
 */
export interface OfferMessage {
  readonly id: string;
  readonly source: string;
  readonly channel: string;
  readonly ts?: string | undefined;
  readonly version: number;
  /** The version that Slack shows, or 0 before the message is posted. */
  readonly shownVersion: number;
  readonly openedAt: number;
  readonly group?: OfferGroup | undefined;
  readonly storm?: OfferStorm | undefined;
  /** Set once the group has a newer message. `content` is the group's content at that time, and `newer` the newest message. */
  readonly moved?: { readonly content: OfferContent; readonly newer?: FoundOffer | undefined } | undefined;
}

/** Each tier has its own messages and budget, so that a storm in one tier does not hide groups of another. */
export type OfferTier = 'critical' | 'target' | 'other';

export const offerStatus = z.enum(['firing', 'resolved']);
export type OfferStatus = z.output<typeof offerStatus>;

/** The part of a group's content that the store knows. A feature reads the rest with its own schema. */
export const offerContent = z.looseObject({ title: z.string() });
export interface OfferContent {
  readonly title: string;
}

export interface OfferUpdate {
  readonly key: string;
  readonly status: OfferStatus;
  /** Two updates with the same status and digest bring no news. Made by the source. */
  readonly digest: string;
  /** When the source made the update, if updates can arrive out of order. */
  readonly sentAt?: number | undefined;
  /** A digest of the parts of the group and of their start times. Undefined if the source does not say. */
  readonly beginnings?: string | undefined;
  readonly content: OfferContent;
}

export interface OfferGroup {
  readonly id: string;
  readonly status: OfferStatus;
  readonly content: OfferContent;
  /** When the status last changed, in epoch milliseconds. */
  readonly statusAt: number;
}

export interface OfferStorm {
  readonly tier: OfferTier;
  /** How many groups are firing. `total` counts all groups. */
  readonly firing: number;
  readonly total: number;
  /** Titles of firing groups, the worst first, then the newest. Each has the content of its worst, then newest group. */
  readonly titles: readonly {
    readonly title: string;
    readonly firing: number;
    readonly content: OfferContent;
    readonly since: number;
  }[];
}

export const isFiring = ({ group, storm }: Pick<OfferMessage, 'group' | 'storm'>): boolean =>
  group ? group.status === 'firing' : (storm?.firing ?? 0) > 0;

export interface OfferChange {
  readonly channel: string;
  readonly update: OfferUpdate;
  /** The group as it fired before. Undefined if it did not fire. */
  readonly before?: OfferContent | undefined;
  /** The storm of the group, with the number of groups in it and whether this change started or ended the storm. */
  readonly storm?: { readonly tier: OfferTier; readonly total: number; readonly turned: boolean } | undefined;
}

export interface ReceivedUpdate {
  readonly source: string;
  readonly channel: string;
  readonly update: OfferUpdate;
  /** When the update arrived, in epoch milliseconds. */
  readonly at: number;
  readonly messageId: string;
  /** Decides how the update is shown, given the known groups. Called in the transaction. */
  readonly fold: (known: KnownGroup | undefined, recent: RecentMessages) => FoldedGroup;
  readonly entries: (change: OfferChange) => readonly AuditDraft[];
}

/** How long ago messages and storms may have begun to count as recent, in milliseconds. */
export const recentMs = { messages: 10 * 60_000, storms: 60 * 60_000 } as const;

/** An offer that a feature makes and ends itself. */
export interface OfferStep {
  /** The lock key that orders these offers. It sorts before all source names. */
  readonly turn: string;
  readonly received: ReceivedUpdate;
  readonly due?: readonly DueDraft[] | undefined;
  readonly audit: readonly AuditDraft[];
}

/** The end of an offer. `otherwise` is thrown if the offer had ended before. */
export interface OfferEnd extends OfferStep {
  readonly otherwise: () => BellhopError;
}

export interface KnownOffers {
  /** The open offers of all the sources. */
  readonly open: readonly OfferContent[];
  /** The offers of the source that ended after `endedAfter`. */
  readonly ended: readonly OfferContent[];
  /** The source's last ended offer with the same digest. */
  readonly previous: OfferContent | undefined;
}

export interface OfferDraft<Decided extends { readonly step?: OfferStep | undefined }> extends Pick<
  OfferStep,
  'turn'
> {
  readonly source: string;
  readonly sources: readonly string[];
  readonly digest: string;
  readonly endedAfter: number;
  readonly at: number;
  /**
   * Returns an open offer, or a new one with the step that makes it. Must be pure: for a new offer, this is called
   * once before the transaction and again in it.
   * @throws BellhopError if the offer may not be made, so that nothing is written
   */
  readonly decide: (known: KnownOffers) => Decided;
}

/** A group that fires, and its message. */
export interface FiringOffer {
  readonly group: OfferGroup;
  readonly message: Pick<OfferMessage, 'id' | 'source' | 'channel' | 'ts'>;
}

export interface FoundOffer {
  readonly id: string;
  readonly content: OfferContent;
  readonly messageId: string;
  readonly channel: string;
  readonly ts: string | undefined;
}

/** Offers and their messages. Rejects with BellhopError `store-unavailable`. */
export interface Offers {
  foldOffer(received: ReceivedUpdate): Promise<Fold>;
  /** Resolves to undefined if the message is no longer stored, or its group can't be read. */
  findOffer(id: string): Promise<OfferMessage | undefined>;
  /** Resolves to undefined if the message at this place is not the message of an offer. */
  findOfferAt(shown: Pick<MessageRef, 'channel' | 'ts'>): Promise<OfferMessage | undefined>;
  /** Resolves to undefined once the group is no longer kept. */
  findOfferOf(source: string, key: string): Promise<FoundOffer | undefined>;
  /** Resolves to the message that shows the group now. */
  findOfferOfGroup(groupId: string): Promise<OfferMessage | undefined>;
  /** Makes the group's message due, because a part of a feature in it has changed. */
  redrawGroup(groupId: string, at: number): Promise<void>;
  /** Resolves to groups that fire, the worst first, then the newest. */
  firingOffers(limit: number): Promise<readonly FiringOffer[]>;
  /** Records the shown version and position. `shown` is undefined if the message is no longer shown. */
  markOfferShown(message: OfferMessage, shown: MessageRef | undefined): Promise<void>;
  /** Makes the message at this place due, if it is the message of an offer, and the newest message of its group. */
  refreshOffer(shown: Pick<MessageRef, 'channel' | 'ts'>, now: number): Promise<void>;
  /** Resolves to the final decision. */
  makeOffer<Decided extends { readonly step?: OfferStep | undefined }>(
    draft: OfferDraft<Decided>,
  ): Promise<Decided>;
  /** Resolves to false if the offer had ended before. Nothing is written then. */
  endOffer(ending: OfferStep): Promise<boolean>;
}

/** A group that is still stored. Times are epoch milliseconds. */
export interface KnownGroup {
  readonly status: OfferStatus;
  readonly statusAt: number;
  readonly digest: string;
  readonly beginnings: string;
  /** Undefined if unreadable. */
  readonly content?: OfferContent | undefined;
  /** When the message of the group began. Undefined if only the end of the group arrived, so that it has no message. */
  readonly openedAt?: number | undefined;
  /** The time stamp of its message in the channel. */
  readonly ts?: string | undefined;
  readonly sentAt?: number | undefined;
  /** The memory that the feature returned with the last update. */
  readonly told: unknown;
  /** The storm of the group. Undefined if the group has a separate message. */
  readonly storm?: { readonly tier: OfferTier; readonly firing: number } | undefined;
}

export interface RecentStorm {
  readonly id: string;
  readonly tier: OfferTier;
  readonly openedAt: number;
  readonly foldedAt: number;
  readonly firing: number;
}

export interface RecentMessages {
  /** Counts, per tier, recent groups with separate messages. `ofTitle` counts those with the title of the update. */
  readonly own: readonly { readonly tier: OfferTier; readonly all: number; readonly ofTitle: number }[];
  /** Storms that began within `recentMs.storms`, newest first. */
  readonly storms: readonly RecentStorm[];
}

/** How an update is shown, and what is stored of it. */
export interface FoldedGroup {
  readonly fold: Fold;
  readonly update: OfferUpdate;
  readonly rank: number;
  /** The memory of what the message has announced of the group, for the next update. */
  readonly told: unknown;
  /** Work that the update makes due. */
  readonly due?: readonly DueDraft[] | undefined;
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
  readonly tier: OfferTier;
  readonly storm?: string | undefined;
}
