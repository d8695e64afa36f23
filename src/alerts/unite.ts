import {
  alertBounds,
  type AlertContent,
  type AlertUpdate,
  type FiringAlert,
  type KnownGroup,
} from '../model/records/alert.ts';
import { worstOf } from './severity.ts';

/** At least so many of the shown alerts are those of other senders, if there are as many. */
const share = alertBounds.alerts / 2;

/**
 * Adds the group's other alerts that still fire to an update. Several senders, such as the Alertmanagers of two clusters, can report alerts of
 * one group, and an end closes only the alerts that it names.
 */
export function unite(update: AlertUpdate, known: KnownGroup | undefined): AlertUpdate {
  const { named, content } = update;
  const others = known && named ? othersOf(update, known.told.firing ?? []) : [];
  if (!named || !known?.content || others.length === 0) return update;
  const ids = new Set(others.map(({ id }) => id));
  const theirs = known.content.alerts.filter(({ id, status }) => status === 'firing' && ids.has(id ?? ''));
  const [fires, ends] = [content.alerts.filter(isFiring), content.alerts.filter((one) => !isFiring(one))];
  const united: AlertContent = {
    ...(update.status === 'firing' ? content : known.content),
    severity: worstOf([...named.firing, ...others].map(({ severity }) => severity)),
    since: minOf([known.content.since, update.status === 'firing' ? content.since : undefined]),
    alerts: [
      ...fires.slice(0, alertBounds.alerts - Math.min(share, theirs.length)),
      ...theirs,
      ...ends,
    ].slice(0, alertBounds.alerts),
    targets: distinctNames([...(content.targets ?? []), ...others.map(({ target }) => target)]),
    on: distinctNames([...(content.firing > 0 ? (content.on ?? []) : []), ...others.map(({ on }) => on)]),
    firing: content.firing + others.length,
    total: content.total + others.length,
  };
  return {
    ...update,
    status: 'firing',
    content: united,
    named: { ...named, firing: [...named.firing, ...others] },
  };
}

/**
 * The known alerts that still fire, although the update does not name them. A sender names all alerts of a group each time. So if it names one
 * alert of a batch, in any severity, and not another, that other one is inhibited, silenced or gone. Two clusters may have one address.
 */
function othersOf({ status, named }: AlertUpdate, known: readonly FiringAlert[]): readonly FiringAlert[] {
  const { ids, firing = [], sender, isPartial = false } = named ?? {};
  const likes = new Set(firing.map(({ like }) => like));
  const again = new Set(
    known.flatMap(({ id, like, batch }) => (ids?.has(id) || likes.has(like) ? [batch] : [])),
  );
  const isWhole = (status === 'resolved') === isPartial;
  return known.filter(
    (one) => !ids?.has(one.id) && !(isWhole && one.sender === sender && again.has(one.batch)),
  );
}

const isFiring = ({ status }: AlertContent['alerts'][number]): boolean => status === 'firing';

const minOf = (times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** Each name once, at most as many as are kept. */
export const distinctNames = (names: readonly (string | undefined)[]): string[] =>
  [...new Set(names.filter((name) => name !== undefined))].slice(0, alertBounds.targets);
