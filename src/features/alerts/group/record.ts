import { z } from 'zod';

import { longestLink } from '../../../text/host.ts';

import {
  type KnownGroup,
  type OfferContent,
  type OfferUpdate,
  offerStatus,
} from '../../../model/records/offer.ts';

/** Limits for a stored group of alerts, in UTF-16 units and items. Foreign text is cut on entry. */
export const alertBounds = {
  key: 1000,
  title: 200,
  text: 1000,
  severity: 40,
  link: longestLink,
  runbook: 500,
  alerts: 10,
  labels: 16,
  labelName: 100,
  labelValue: 200,
  targets: 100,
  firing: 1000,
  senders: 8,
  earlier: 3,
} as const;

const labels = z.record(z.string(), z.string());

const alert = z.object({
  status: offerStatus,
  labels,
  /** Only the annotations that buttons of the hook use. */
  annotations: labels.optional(),
  summary: z.string().optional(),
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
  /** The inventory names of the firing alerts' targets, looked up when the alerts arrived. */
  targets: z.array(z.string()).optional(),
  /** The machines or objects of the firing alerts, in the inventory or not. If no alert fires, those of all alerts. */
  on: z.array(z.string()).optional(),
  /** The labels by which the source grouped the alerts. */
  group: labels.optional(),
  firing: z.number().int(),
  total: z.number().int(),
  /** How many of the alerts the source omitted from its update. */
  unread: z.number().int().optional(),
  note: z.string().optional(),
  /** The alert into which this one was merged, if the merge ended it. */
  mergedInto: z.string().optional(),
  /** The `ts` of the group's earlier messages, newest first. */
  earlier: z.array(z.string()).optional(),
});
export type AlertContent = Readonly<z.output<typeof alertContent>>;

/** @returns undefined for content that another feature or an incompatible version wrote */
export const readAlert = (content: OfferContent | undefined): AlertContent | undefined =>
  alertContent.safeParse(content).data;

export interface AlertUpdate extends OfferUpdate {
  /** The alerts that the update names, if the source gives each of them an id. */
  readonly named?: NamedAlerts | undefined;
  readonly content: AlertContent;
}

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

const namedAlerts = z.object({
  sender: z.string(),
  ids: z.array(z.string()).transform((ids): ReadonlySet<string> => new Set(ids)),
  firing: z.array(firingAlert),
  isPartial: z.boolean(),
});
export type NamedAlerts = Readonly<z.output<typeof namedAlerts>>;

export const heldUpdate = z.object({
  source: z.string(),
  update: z.object({
    key: z.string(),
    status: offerStatus,
    digest: z.string(),
    beginnings: z.string().optional(),
    named: namedAlerts,
    content: alertContent,
  }),
});

/** The memory of a group: the rank and targets already announced, the firing alerts, and when alerts last ended. */
export const told = z.object({
  /** A higher rank, or another target, is news. */
  rank: z.number(),
  targets: z.array(z.string()),
  firing: z.array(firingAlert).optional(),
  /**
   * `late` are the senders that still reported the old alerts as firing. `isDoubted` if one of them is the sender of the
   * end, which has not repeated the end since.
   */
  ended: z
    .object({
      at: z.number(),
      late: z.array(z.string()),
      by: z.string().optional(),
      isDoubted: z.boolean().optional(),
    })
    .optional(),
});
export type Told = Readonly<z.output<typeof told>>;

/** A stored group, as this feature reads it. Unreadable groups are announced again. */
export interface KnownAlerts extends KnownGroup {
  readonly content?: AlertContent | undefined;
  readonly told: Told;
}

export const readKnown = (known: KnownGroup): KnownAlerts => ({
  ...known,
  content: readAlert(known.content),
  told: told.catch({ rank: 0, targets: [] }).parse(known.told),
});
