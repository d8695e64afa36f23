import { type AlertContent, type AlertStatus, alertBounds } from '../../model/records/alert.ts';
import { writtenMoment } from '../../text/moments.ts';
import { clip } from '../../text/words.ts';

export interface Reading {
  readonly wanted: ReadonlySet<string>;
  /** The inventory target that an alert with these labels is about. */
  readonly targetOf: (labels: Readonly<Record<string, string>>) => string | undefined;
  /** The machine or object that an alert with these labels names, in the inventory or not. */
  readonly subjectOf: (labels: Readonly<Record<string, string>>) => string | undefined;
}

/** Cuts longer text to `most` UTF-16 units without splitting a character, and adds `…`. Returns undefined for empty text. */
export function cut(text: string | undefined, most: number): string | undefined {
  const whole = text?.toWellFormed().trim() ?? '';
  return whole === '' ? undefined : clip(whole, most);
}

/** The first https address without credentials. An address that is too long is skipped, never cut. */
export function firstLink(
  candidates: readonly (string | undefined)[],
  most: number = alertBounds.link,
  protocols: readonly string[] = ['https:'],
): string | undefined {
  for (const candidate of candidates) {
    if (candidate === undefined || candidate.length > most) continue;
    const url = URL.parse(candidate);
    if (url && protocols.includes(url.protocol) && url.username === '' && url.href.length <= most)
      return url.href;
  }
  return undefined;
}

/** The first link to a source of alerts, which is often on an internal network without TLS. */
export const sourceLink = (candidates: readonly (string | undefined)[]): string | undefined =>
  firstLink(candidates, alertBounds.link, ['https:', 'http:']);

/** A few of an alert's labels. The wanted labels come first, in their order. */
export function keptLabels(
  labels: Readonly<Record<string, string>>,
  wanted: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const names = Object.keys(labels).filter((name) => name.length <= alertBounds.labelName);
  const first = [...wanted].filter(
    (name) => name.length <= alertBounds.labelName && Object.hasOwn(labels, name),
  );
  const rest = names.filter((name) => !wanted.has(name));
  return Object.fromEntries(
    [...first, ...rest]
      .slice(0, alertBounds.labels)
      .map((name) => [name, cut(labels[name], alertBounds.labelValue) ?? '']),
  );
}

/** Returns epoch milliseconds. Returns undefined for anything but a time, and for `0001-01-01T00:00:00Z`. */
export function timeOf(text: string | undefined): number | undefined {
  const at = writtenMoment(text) ?? 0;
  return at > 0 ? at : undefined;
}

export const soleAlert = (
  status: AlertStatus,
  given: Readonly<Record<string, string | undefined>>,
  { wanted, targetOf, subjectOf }: Reading,
): Pick<AlertContent, 'alerts' | 'targets' | 'on' | 'firing' | 'total'> => {
  const labels = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
  const target = status === 'firing' ? targetOf(labels) : undefined;
  const subject = subjectOf(labels);
  return {
    alerts: [{ status, labels: keptLabels(labels, wanted) }],
    targets: target === undefined ? [] : [target],
    on: subject === undefined ? [] : [subject],
    firing: status === 'firing' ? 1 : 0,
    total: 1,
  };
};
