import type { AlertStatus, AlertUpdate } from './alert.ts';

const minute = 60_000;

/** So many groups of a hook get a message of their own within the window; further ones fold into one for all of them. */
const ownMessages = 5;
export const windowMs = 10 * minute;
/** A storm takes groups in while they keep coming, and no longer than this: then people are told anew. */
const stormQuietMs = 10 * minute;
const stormMs = 60 * minute;
/** What fires again within this is shown where it was. */
const reopenMs = 30 * minute;

/** What is known of a group whose message is still kept. Times are epoch milliseconds. */
export interface KnownGroup {
  readonly status: AlertStatus;
  readonly statusAt: number;
  readonly digest: string;
  /** Of the last update that fired. */
  readonly firingDigest: string;
  readonly sentAt?: number | undefined;
}

/** What a hook was told lately. */
export interface RecentMessages {
  /** Groups that got a message of their own within the window. */
  readonly own: number;
  /** The newest storm. */
  readonly storm?: { readonly id: string; readonly openedAt: number; readonly foldedAt: number } | undefined;
}

/** What an update comes to. */
export type Fold =
  /** `ended`: it is resolved, and nobody was told that it fired. */
  | { readonly kind: 'nothing'; readonly why: 'repeated' | 'late' | 'ended' }
  /** Its message changes. */
  | { readonly kind: 'change' }
  /** It gets a message of its own, or a place in a storm, which is new where it has no id. */
  | { readonly kind: 'open'; readonly in: 'message' | 'storm'; readonly storm?: string | undefined };

/** Decides how an update is shown: one message for a group, edited and not repeated, and few of them in a storm. */
export function fold(
  update: AlertUpdate,
  known: KnownGroup | undefined,
  recent: RecentMessages,
  now: number,
): Fold {
  if (known) {
    const late = lateness(update, known);
    if (late) return { kind: 'nothing', why: late };
    const old = known.status === 'resolved' && now - known.statusAt > reopenMs;
    if (!old || update.status === 'resolved') return { kind: 'change' };
  }
  if (update.status === 'resolved') return { kind: 'nothing', why: 'ended' };
  const { own, storm } = recent;
  if (storm && now - storm.foldedAt < stormQuietMs && now - storm.openedAt < stormMs)
    return { kind: 'open', in: 'storm', storm: storm.id };
  return { kind: 'open', in: own < ownMessages ? 'message' : 'storm' };
}

function lateness(update: AlertUpdate, known: KnownGroup): 'repeated' | 'late' | undefined {
  if (update.status === known.status && update.digest === known.digest) return 'repeated';
  const { sentAt, status, digest, namesBeginnings } = update;
  if (sentAt !== undefined && known.sentAt !== undefined && sentAt < known.sentAt) return 'late';
  const begunBefore = namesBeginnings === true && status === 'firing' && known.status === 'resolved';
  return begunBefore && digest === known.firingDigest ? 'late' : undefined;
}
