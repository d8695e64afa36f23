import {
  alertBounds,
  type Alert,
  type AlertUpdate,
  type FiringAlert,
  type KnownAlerts,
  type NamedAlerts,
} from './record.ts';
import { worstOf } from './severity.ts';

/** The least number of shown alerts from other senders, if those senders have as many. */
const share = alertBounds.alerts / 2;

/**
 * Adds the other firing alerts of the group. Several senders, such as the Alertmanagers of two clusters, can report alerts of one group,
 * and an end closes only the alerts that it names.
 */
export function unite(update: AlertUpdate, known: KnownAlerts | undefined): AlertUpdate {
  const { named, status, content } = update;
  if (!named || !known?.content) return update;
  const others = othersOf(update, named, known.told.firing ?? []);
  if (others.length === 0) return update;
  const isFiring = status === 'firing';
  const ids = new Set(others.map(({ id }) => id));
  const theirs = known.content.alerts.filter((one) => fires(one) && ids.has(one.id ?? ''));
  const [own, ended] = partition(content.alerts, fires);
  const room = alertBounds.alerts - Math.min(share, theirs.length);
  const firing = [...named.firing, ...others];
  // The source may have counted some of these alerts as omitted.
  const counted = Math.min(
    content.unread ?? 0,
    others.filter(({ sender }) => sender === named.sender).length,
  );
  return {
    ...update,
    status: 'firing',
    named: { ...named, firing },
    content: {
      ...(isFiring ? content : known.content),
      severity: worstOf(firing.map(({ severity }) => severity)),
      since: pickTime([known.content.since, isFiring ? content.since : undefined]),
      alerts: [...own.slice(0, room), ...theirs, ...ended].slice(0, alertBounds.alerts),
      targets: distinctNames([...(content.targets ?? []), ...others.map(({ target }) => target)]),
      on: distinctNames([...(content.firing > 0 ? (content.on ?? []) : []), ...others.map(({ on }) => on)]),
      firing: content.firing + others.length,
      total: content.total + others.length - counted,
    },
  };
}

/**
 * The known alerts that still fire, although the update does not name them. A sender names all alerts of a group each time. If it names
 * only some alerts of a batch, in any severity, the others are inhibited, silenced or gone. Having the same sender is not enough, because
 * two clusters may have the same address.
 */
function othersOf(
  { status }: AlertUpdate,
  { ids, firing, sender, isPartial }: NamedAlerts,
  known: readonly FiringAlert[],
): readonly FiringAlert[] {
  const others = known.filter(({ id }) => !ids.has(id));
  if (others.length === 0) return others;
  const likes = new Set(firing.map(({ like }) => like));
  const again = new Set(
    known.filter(({ id, like }) => ids.has(id) || likes.has(like)).map(({ batch }) => batch),
  );
  const isAgain = (one: FiringAlert): boolean => one.sender === sender && again.has(one.batch);
  if ((status === 'resolved') === isPartial) return others.filter((one) => !isAgain(one));
  // A long group has no room to name all alerts of a batch.
  const [{ batch } = {}] = firing;
  return others.map((one) => (batch !== undefined && isAgain(one) ? inBatch(one, batch) : one));
}

const inBatch = (one: FiringAlert, batch: string): FiringAlert => ({ ...one, batch });

const fires = ({ status }: Alert): boolean => status === 'firing';

export function partition<T>(items: readonly T[], passes: (item: T) => boolean): readonly [T[], T[]] {
  const parts: readonly [T[], T[]] = [[], []];
  for (const item of items) parts[passes(item) ? 0 : 1].push(item);
  return parts;
}

/** @param pick `Math.max` for the latest time */
export function pickTime(times: readonly (number | undefined)[], pick = Math.min): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : pick(...known);
}

/** At most as many names as are stored. */
export const distinctNames = (names: readonly (string | undefined)[]): string[] =>
  [...new Set(names.filter((name) => name !== undefined))].slice(0, alertBounds.targets);
