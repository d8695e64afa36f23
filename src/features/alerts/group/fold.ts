import {
  type Fold,
  type FoldedGroup,
  type KnownGroup,
  type OfferTier,
  type OpenFold,
  type RecentMessages,
  type RecentStorm,
  recentMs,
} from '../../../model/records/offer.ts';
import {
  type AlertContent,
  type AlertUpdate,
  alertBounds,
  type KnownAlerts,
  readKnown,
  type Told,
} from './record.ts';
import { rankOf, highestRank } from './severity.ts';
import { unite } from './unite.ts';

const minute = 60_000;

/**
 * The most groups of a hook that get their own message within `recentMs.messages`, in total and per title. Other groups share a storm
 * message.
 */
const budgets: Readonly<Record<OfferTier, { readonly all: number; readonly ofTitle: number }>> = {
  critical: { all: 20, ofTitle: 5 },
  target: { all: 20, ofTitle: 20 },
  other: { all: 5, ofTitle: 5 },
};
/** The most storm messages of a tier that begin within `recentMs.messages`. After that, an ended storm message is reused. */
const maxStorms = 5;
/** In milliseconds. A storm that no group has joined for this long is over. The next group gets a new message. */
const stormQuietMs = 10 * minute;
/** In milliseconds. An alert that fires again within this time stays in its message, unless it is critical or about a target. */
const reopenMs = 30 * minute;
/**
 * In milliseconds. For this long after an alert ended, another peer of a cluster may still report it as firing. A
 * source that repeats an alert, or reports it as firing again with its old start, does so later than this.
 */
const lateMs = 45_000;
/** In milliseconds. A new critical alert within this time after its group's message is only added to that message. */
const freshMs = minute;
/**
 * In milliseconds. The end of a group without a message is remembered for this long, so that older updates are
 * recognized as late.
 */
const endsMs = 24 * 60 * minute;

export interface FoldedAlerts extends FoldedGroup {
  readonly update: AlertUpdate;
  readonly told: Told;
  readonly heldUntil?: number | undefined;
}

export function foldGroup(
  sent: AlertUpdate,
  before: KnownGroup | undefined,
  recent: RecentMessages,
  now: number,
  wasHeld = false,
): FoldedAlerts {
  const isForgotten = before?.openedAt === undefined && now - (before?.statusAt ?? 0) > endsMs;
  const known = before && !isForgotten ? readKnown(before) : undefined;
  const update = unite(sent, known);
  const isOutdated = wasHeld && !known?.told.ended?.isDoubted;
  const decided: Fold = isOutdated ? { kind: 'nothing', why: 'repeated' } : fold(update, known, recent, now);
  const rank = rankOf(update.content.severity);
  if (known && decided.kind === 'nothing' && decided.why !== 'ended') {
    const { ended } = known.told;
    const unchanged = { fold: decided, update, rank, told: known.told };
    if (!ended) return unchanged;
    const sender = sent.named?.sender;
    if (decided.why === 'repeated')
      return sent.status === 'resolved'
        ? { ...unchanged, told: { ...known.told, ended: { ...ended, isDoubted: false } } }
        : unchanged;
    const late = [...ended.late, sender ?? ''].slice(-alertBounds.senders);
    const isDoubted = sender !== undefined && sender === ended.by;
    return {
      ...unchanged,
      told: { ...known.told, ended: { ...ended, late, isDoubted: isDoubted || ended.isDoubted } },
      heldUntil: isDoubted ? ended.at + lateMs : undefined,
    };
  }
  const ended = sent.status === 'resolved' ? { at: now, late: [], by: sent.named?.sender } : undefined;
  const content = { ...update.content, ...earlierOf(decided, known) };
  const told = { ...remember(decided, update, rank, known?.told), ended };
  return { fold: decided, update: { ...update, content }, rank, told };
}

/** The thread of the message that the group leaves may have changes. */
function earlierOf({ kind }: Fold, known: KnownAlerts | undefined): Pick<AlertContent, 'earlier'> {
  const { ts, storm, content: { earlier = [] } = {} } = known ?? {};
  const left = kind === 'open' && ts !== undefined && !storm ? [ts, ...earlier] : earlier;
  return left.length === 0 ? {} : { earlier: left.slice(0, alertBounds.earlier) };
}

/** When a group gets better, its announced rank and targets are reduced, so that the next rise is news. */
function remember(
  { kind }: Fold,
  { status, named, content: { targets = [] } }: AlertUpdate,
  rank: number,
  known: Told | undefined,
): Told {
  const firing = status === 'firing' ? named?.firing.slice(0, alertBounds.firing) : undefined;
  if (!known || kind === 'open') return { rank, targets: [...targets], firing };
  if (status === 'resolved') return { rank: known.rank, targets: known.targets };
  const still = known.targets.filter((target) => targets.includes(target));
  return { rank: Math.min(known.rank, rank), targets: still, firing };
}

/** Each group has one message, which is edited instead of repeated. In a storm, many groups share one message. */
export function fold(
  update: AlertUpdate,
  known: KnownAlerts | undefined,
  recent: RecentMessages,
  now: number,
): Fold {
  const late = known && lateness(update, known, now);
  if (late) return { kind: 'nothing', why: late };
  const { openedAt } = known ?? {};
  if (update.status === 'resolved')
    return openedAt === undefined ? { kind: 'nothing', why: 'ended' } : { kind: 'change' };
  const tiers = tiersOf(update.content);
  const [tier] = tiers;
  const storm = runningStorm(recent, tier, now);
  const roomy = tiers.find((each) => hasRoom(recent, each));
  if (!known || openedAt === undefined || isOver(known, now)) {
    if (roomy === undefined || (storm && tier === 'other')) return open('storm', tier, storm);
    return open('message', roomy);
  }
  const isNews =
    rises(update.content, known.told) ||
    (known.status === 'resolved' && tier !== 'other') ||
    (now - openedAt >= freshMs && hasNewCritical(update, known.told));
  if (!isNews) return { kind: 'change' };
  if (roomy !== undefined) return open('message', roomy);
  // If there is no room for another message, the group stays in its current message, unless that is a storm of less important
  // alerts.
  return known.storm?.tier === 'other' && tier !== 'other' ? open('storm', tier, storm) : { kind: 'change' };
}

const open = (place: 'message' | 'storm', tier: OfferTier, storm?: RecentStorm): OpenFold => ({
  kind: 'open',
  in: place,
  tier,
  storm: storm?.id,
});

/** The alert's own tier comes first. */
export function tiersOf({ severity, targets = [] }: AlertContent): readonly [OfferTier, ...OfferTier[]] {
  const isAboutTarget = targets.length > 0;
  if (rankOf(severity) === highestRank) return isAboutTarget ? ['critical', 'target'] : ['critical'];
  return [isAboutTarget ? 'target' : 'other'];
}

function hasRoom({ own }: RecentMessages, tier: OfferTier): boolean {
  const { all, ofTitle } = own.find((each) => each.tier === tier) ?? { all: 0, ofTitle: 0 };
  return all < budgets[tier].all && ofTitle < budgets[tier].ofTitle;
}

/**
 * The storm that further groups of a tier join. If nothing in that storm fires any more, the next group begins a new
 * storm, up to `maxStorms`.
 */
function runningStorm(recent: RecentMessages, tier: OfferTier, now: number): RecentStorm | undefined {
  const storms = recent.storms.filter((each) => each.tier === tier);
  const [newest] = storms;
  if (!newest || now - newest.foldedAt >= stormQuietMs || now - newest.openedAt >= recentMs.storms)
    return undefined;
  const lately = storms.filter(({ openedAt }) => now - openedAt < recentMs.messages);
  return newest.firing > 0 || lately.length >= maxStorms ? newest : undefined;
}

const isOver = ({ status, statusAt, storm }: KnownAlerts, now: number): boolean =>
  status === 'resolved' && (now - statusAt > reopenMs || storm?.firing === 0);

const rises = ({ severity, targets = [] }: AlertContent, told: Told): boolean =>
  rankOf(severity) > told.rank || targets.some((target) => !told.targets.includes(target));

/** If a group has more alerts than are kept, a new alert can't be distinguished from one that was not kept. */
function hasNewCritical({ named }: AlertUpdate, { firing: known = [] }: Told): boolean {
  if (known.length === 0 || known.length >= alertBounds.firing) return false;
  const ids = new Set(known.map(({ id }) => id));
  return (named?.firing ?? []).some(({ id, severity }) => rankOf(severity) === highestRank && !ids.has(id));
}

function lateness(update: AlertUpdate, known: KnownAlerts, now: number): 'repeated' | 'late' | undefined {
  if (update.status === known.status && update.digest === known.digest) return 'repeated';
  const { sentAt, status, beginnings, named } = update;
  const { sentAt: last = -1 } = known;
  // If both events have the same time, the end counts as the later one.
  const isAfterEnd = status === 'firing' && known.status === 'resolved';
  if (sentAt !== undefined && (sentAt < last || (isAfterEnd && sentAt === last))) return 'late';
  const { ended } = known.told;
  if (status === 'resolved' || !ended || now - ended.at >= lateMs) return undefined;
  // A sender that repeats its report is right: the alert fires again, although it has its old start.
  const insists = ended.late.includes(named?.sender ?? '');
  return beginnings === known.beginnings && !insists ? 'late' : undefined;
}
