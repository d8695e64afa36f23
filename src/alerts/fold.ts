import {
  type AlertContent,
  type AlertTier,
  type AlertUpdate,
  type Fold,
  type KnownGroup,
  type OpenFold,
  type RecentMessages,
  type RecentStorm,
  type Told,
  recentMs,
} from '../model/records/alert.ts';

const minute = 60_000;

/**
 * How many of a hook's groups get their own message within `recentMs.messages`, in total and per title. The other groups share a storm
 * message.
 */
const budgets: Readonly<Record<AlertTier, { readonly all: number; readonly ofTitle: number }>> = {
  critical: { all: 20, ofTitle: 5 },
  target: { all: 20, ofTitle: 20 },
  other: { all: 5, ofTitle: 5 },
};
/** How many storm messages of a tier may begin within the window. After that, an ended storm message is reused. */
const maxStorms = 5;
/** In milliseconds. A storm that no group has joined for this long is over. The next group gets a new message. */
const stormQuietMs = 10 * minute;
/** In milliseconds. An alert that fires again within this time stays in its message, unless it is critical or about a target. */
const reopenMs = 30 * minute;

/** Decides how an update is shown. Each group has one message, which is edited instead of repeated. In a storm, many groups share one. */
export function fold(
  update: AlertUpdate,
  known: KnownGroup | undefined,
  recent: RecentMessages,
  now: number,
): Fold {
  const late = known && lateness(update, known);
  if (late) return { kind: 'nothing', why: late };
  if (update.status === 'resolved') return known ? { kind: 'change' } : { kind: 'nothing', why: 'ended' };
  const tiers = tiersOf(update.content);
  const [tier] = tiers;
  const storm = runningStorm(recent, tier, now);
  const roomy = tiers.find((each) => hasRoom(recent, each));
  if (!known || isOver(known, now)) {
    if (roomy === undefined || (storm && tier === 'other')) return open('storm', tier, storm);
    return open('message', roomy);
  }
  const isNews = rises(update.content, known.told) || (known.status === 'resolved' && tier !== 'other');
  if (!isNews) return { kind: 'change' };
  if (roomy !== undefined) return open('message', roomy);
  // If there is no room for another message, the group stays in its current message, unless that is a storm of less important
  // alerts.
  return known.storm?.tier === 'other' && tier !== 'other' ? open('storm', tier, storm) : { kind: 'change' };
}

const open = (place: 'message' | 'storm', tier: AlertTier, storm?: RecentStorm): OpenFold => ({
  kind: 'open',
  in: place,
  tier,
  storm: storm?.id,
});

/** The tiers whose budgets an alert may use. The first is the alert's own tier. */
export function tiersOf({ severity, targets = [] }: AlertContent): readonly [AlertTier, ...AlertTier[]] {
  const isAboutTarget = targets.length > 0;
  if (rankOf(severity) === highestRank) return isAboutTarget ? ['critical', 'target'] : ['critical'];
  return [isAboutTarget ? 'target' : 'other'];
}

function hasRoom({ own }: RecentMessages, tier: AlertTier): boolean {
  const { all, ofTitle } = own.find((each) => each.tier === tier) ?? { all: 0, ofTitle: 0 };
  return all < budgets[tier].all && ofTitle < budgets[tier].ofTitle;
}

/** The storm that further groups of a tier join. If nothing in that storm fires any more, the next group begins a new storm. */
function runningStorm(recent: RecentMessages, tier: AlertTier, now: number): RecentStorm | undefined {
  const storms = recent.storms.filter((each) => each.tier === tier);
  const [newest] = storms;
  if (!newest || now - newest.foldedAt >= stormQuietMs || now - newest.openedAt >= recentMs.storms)
    return undefined;
  const lately = storms.filter(({ openedAt }) => now - openedAt < recentMs.messages);
  return newest.firing > 0 || lately.length >= maxStorms ? newest : undefined;
}

const isOver = ({ status, statusAt, storm }: KnownGroup, now: number): boolean =>
  status === 'resolved' && (now - statusAt > reopenMs || storm?.firing === 0);

const rises = ({ severity, targets = [] }: AlertContent, told: Told): boolean =>
  rankOf(severity) > told.rank || targets.some((target) => !told.targets.includes(target));

function lateness(update: AlertUpdate, known: KnownGroup): 'repeated' | 'late' | undefined {
  if (update.status === known.status && update.digest === known.digest) return 'repeated';
  const { sentAt, status, digest, namesBeginnings } = update;
  if (sentAt !== undefined && known.sentAt !== undefined && sentAt < known.sentAt) return 'late';
  const begunBefore = namesBeginnings === true && status === 'firing' && known.status === 'resolved';
  return begunBefore && digest === known.firingDigest ? 'late' : undefined;
}

/** Words of alerting tools, from the mildest to the worst. Sources: Prometheus, Grafana, PagerDuty, Zabbix, syslog. */
const words: readonly (readonly string[])[] = [
  ['info', 'information', 'informational', 'notice', 'debug', 'low', 'p4', 'p5', 'sev4', 'sev5'],
  ['warning', 'warn', 'minor', 'medium', 'moderate', 'average', 'p3', 'sev3'],
  ['error', 'err', 'major', 'high', 'p2', 'sev2'],
  [
    'critical',
    'crit',
    'fatal',
    'emergency',
    'emerg',
    'disaster',
    'urgent',
    'page',
    'p0',
    'p1',
    'sev0',
    'sev1',
  ],
];

const ranks = new Map(words.flatMap((alike, at) => alike.map((word) => [word, at + 1] as const)));

const highestRank = words.length;

/** The rank of the worst known word in a severity, or 0 without a known word. */
export function rankOf(severity = ''): number {
  const parts = severity
    .toLowerCase()
    .replaceAll(/[-_ ](?=\d)/gu, '')
    .split(/[^a-z0-9]+/u);
  return Math.max(...parts.map((part) => ranks.get(part) ?? 0));
}

/** The worst severity. Of several equally bad severities, the first. */
export const worstOf = (severities: readonly (string | undefined)[]): string | undefined =>
  severities.reduce((worst, each) => (worst === undefined || rankOf(each) > rankOf(worst) ? each : worst));
