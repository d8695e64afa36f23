import type { OfferStatus } from '../../../model/records/offer.ts';
import { type Alert, type AlertContent, alertBounds } from '../group/record.ts';
import { isObject } from '../../../text/exact.ts';
import { writtenMoment } from '../../../text/moments.ts';
import { firstLink } from '../../../text/host.ts';
import { cut } from '../../../text/words.ts';
import { distinctNames } from '../group/unite.ts';

type Labels = Readonly<Record<string, string>>;

interface About {
  readonly target?: string | undefined;
  /** The machine or object that an alert names, in the inventory or not. */
  readonly on?: string | undefined;
}

export interface Reading {
  readonly wanted: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
  readonly about: (labels: Labels) => About;
}

interface SentAlert extends Alert, About {}

/** The first valid link, with `https` or `http`. Sources of alerts are often on an internal network without TLS. */
export const sourceLink = (candidates: readonly (string | undefined)[]): string | undefined =>
  firstLink(candidates, alertBounds.link, ['https:', 'http:']);

/** The wanted labels come first, in their order. */
export const keptLabels = (labels: Labels, wanted: ReadonlySet<string>): Labels =>
  Object.fromEntries(
    [...new Set([...wanted, ...Object.keys(labels)])]
      .filter((name) => name.length <= alertBounds.labelName && Object.hasOwn(labels, name))
      .slice(0, alertBounds.labels)
      .map((name) => [name, cut(labels[name], alertBounds.labelValue) ?? '']),
  );

const usedAnnotations = (annotations: Labels, used: ReadonlySet<string>): Labels =>
  keptLabels(Object.fromEntries(Object.entries(annotations).filter(([name]) => used.has(name))), used);

/** Returns epoch milliseconds. Returns undefined for anything but a time, and for `0001-01-01T00:00:00Z`. */
export function timeOf(text: string | undefined): number | undefined {
  const at = writtenMoment(text) ?? 0;
  return at > 0 ? at : undefined;
}

/**
 * The part of the content that lists alerts.
 * @param all in the order in which they are shown, firing alerts first
 * @param shown names of labels that come first
 */
export function shownAlerts(
  all: readonly SentAlert[],
  shown: ReadonlySet<string>,
  used: ReadonlySet<string> = new Set(),
): Pick<AlertContent, 'alerts' | 'targets' | 'on' | 'firing' | 'total'> {
  const firing = all.filter(({ status }) => status === 'firing');
  return {
    alerts: all.slice(0, alertBounds.alerts).map(({ id, status, labels, annotations = {}, summary }) => ({
      id,
      status,
      labels: keptLabels(labels, shown),
      annotations: used.size > 0 ? usedAnnotations(annotations, used) : undefined,
      summary,
    })),
    targets: distinctNames(firing.map(({ target }) => target)),
    on: distinctNames((firing.length > 0 ? firing : all).map(({ on }) => on)),
    firing: firing.length,
    total: all.length,
  };
}

export function soleAlert(status: OfferStatus, given: object, { wanted, about }: Reading) {
  const labels = textsIn(given);
  return shownAlerts([{ status, labels, ...about(labels) }], wanted);
}

const isTexts = (given: unknown): given is Labels =>
  isObject(given) && Object.values(given).every((value) => typeof value === 'string');

export const textsIn = (given: unknown): Labels =>
  isTexts(given)
    ? given
    : Object.fromEntries(
        Object.entries(given ?? {}).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as const] : [],
        ),
      );
