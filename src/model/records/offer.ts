import { z } from 'zod';

import type { BellhopError } from '../values/errors.ts';
import type { MessageRef } from '../values/actor.ts';
import type { AuditDraft } from './audit.ts';
import { type DueDraft, dueKind } from './due.ts';

/** The message of an offer in Slack is out of date. */
export const offerKind = dueKind('alert');

/**
 * A feature's message in a channel with commands as buttons. It shows one group of a source, or many as a storm, and is open while
 * something in it fires.
 */
export interface OfferMessage {
  readonly id: string;
  readonly source: string;
  readonly channel: string;
  readonly ts?: string | undefined;
  readonly version: number;
  /** 0 before the message is posted. */
  readonly shownVersion: number;
  readonly openedAt: number;
  readonly group?: OfferGroup | undefined;
  readonly storm?: OfferStorm | undefined;
  /** Set once the group has a newer message: the group's content at that time, and the newest message. */
  readonly moved?: { readonly content: OfferContent; readonly newer?: FoundOffer | undefined } | undefined;
}

/** Each tier has its own messages and budget, so that a storm in one tier does not hide groups of another. */
export type OfferTier = 'critical' | 'target' | 'other';

export const offerStatus = z.enum(['firing', 'resolved']);
export type OfferStatus = z.output<typeof offerStatus>;

/** The part that the store knows. A feature reads the rest with its own schema. */
export const offerContent = z.looseObject({ title: z.string() });
export interface OfferContent {
  readonly title: string;
}

export interface OfferUpdate {
  readonly key: string;
  readonly status: OfferStatus;
  /** Made by the source. Two updates with the same status and digest bring no news. */
  readonly digest: string;
  /** Set if updates can arrive out of order. */
  readonly sentAt?: number | undefined;
  /** A digest of the group's parts and their start times. Undefined if the source sends no start times. */
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
  readonly firing: number;
  readonly total: number;
  /** Of firing groups, the worst first, then the newest. `content` is that of the title's worst, then newest group. */
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
  /** The group as it fired before. */
  readonly before?: OfferContent | undefined;
  /** The group's storm, the number of groups in it, and whether this change started or ended the storm. */
  readonly storm?: { readonly tier: OfferTier; readonly total: number; readonly turned: boolean } | undefined;
}

export interface ReceivedUpdate {
  readonly source: string;
  readonly channel: string;
  readonly update: OfferUpdate;
  /** In epoch milliseconds. */
  readonly at: number;
  readonly messageId: string;
  /** Called in the transaction. */
  readonly fold: (known: KnownGroup | undefined, recent: RecentMessages) => FoldedGroup;
  readonly entries: (change: OfferChange) => readonly AuditDraft[];
}

/** In milliseconds: how long messages and storms count as recent. */
export const recentMs = { messages: 10 * 60_000, storms: 60 * 60_000 } as const;

/** For an offer that a feature makes and ends itself. */
export interface OfferStep {
  /** The lock key that orders these offers. Sorts before all source names. */
  readonly turn: string;
  readonly received: ReceivedUpdate;
  readonly due?: readonly DueDraft[] | undefined;
  readonly audit: readonly AuditDraft[];
}

/** `otherwise` is thrown if the offer had ended before. */
export interface OfferEnd extends OfferStep {
  readonly otherwise: () => BellhopError;
}

export interface KnownOffers {
  /** Of all sources. */
  readonly open: readonly OfferContent[];
  /** Of the source, ended after `endedAfter`. */
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
   * An open offer, or a new one with the step that makes it. Must be pure: for a new offer, it is called before the transaction and again
   * in it.
   * @throws BellhopError if the offer may not be made, so that nothing is written
   */
  readonly decide: (known: KnownOffers) => Decided;
}

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

/** Rejects with BellhopError `store-unavailable`. */
export interface Offers {
  foldOffer(received: ReceivedUpdate): Promise<Fold>;
  /** Undefined if the message is no longer stored, or its group can't be read. */
  findOffer(id: string): Promise<OfferMessage | undefined>;
  /** Undefined if this message is not that of an offer. */
  findOfferAt(shown: Pick<MessageRef, 'channel' | 'ts'>): Promise<OfferMessage | undefined>;
  /** Undefined once the group is no longer kept. */
  findOfferOf(source: string, key: string): Promise<FoundOffer | undefined>;
  /** The message that shows the group now. */
  findOfferOfGroup(groupId: string): Promise<OfferMessage | undefined>;
  /** Makes the group's message due, because a feature's part of it has changed. */
  redrawGroup(groupId: string, at: number): Promise<void>;
  /** The worst first, then the newest. */
  firingOffers(limit: number): Promise<readonly FiringOffer[]>;
  /** `shown` is undefined if the message is no longer shown. */
  markOfferShown(message: OfferMessage, shown: MessageRef | undefined): Promise<void>;
  /** Makes this message due if it is that of an offer, and its group's newest message. */
  refreshOffer(shown: Pick<MessageRef, 'channel' | 'ts'>, now: number): Promise<void>;
  /** Resolves to the final decision. */
  makeOffer<Decided extends { readonly step?: OfferStep | undefined }>(
    draft: OfferDraft<Decided>,
  ): Promise<Decided>;
  /** False, and nothing is written, if the offer had ended before. */
  endOffer(ending: OfferStep): Promise<boolean>;
}

/** Times are epoch milliseconds. */
export interface KnownGroup {
  readonly status: OfferStatus;
  readonly statusAt: number;
  readonly digest: string;
  readonly beginnings: string;
  /** Undefined if unreadable. */
  readonly content?: OfferContent | undefined;
  /** When the group's message began. Undefined if only the group's end arrived, so that it has no message. */
  readonly openedAt?: number | undefined;
  /** The message's time stamp in the channel. */
  readonly ts?: string | undefined;
  readonly sentAt?: number | undefined;
  /** As the feature returned it with the last update. */
  readonly told: unknown;
  /** Undefined if the group has a separate message. */
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
  /** Recent groups with separate messages, per tier. `ofTitle` counts those with the update's title. */
  readonly own: readonly { readonly tier: OfferTier; readonly all: number; readonly ofTitle: number }[];
  /** Newest first. */
  readonly storms: readonly RecentStorm[];
}

/** How an update is shown, and what is stored of it. */
export interface FoldedGroup {
  readonly fold: Fold;
  readonly update: OfferUpdate;
  readonly rank: number;
  /** For the next update: the part of the group that the message has announced. */
  readonly told: unknown;
  readonly due?: readonly DueDraft[] | undefined;
}

export type Fold =
  /** `ended`: the group is resolved and was never announced. */
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
