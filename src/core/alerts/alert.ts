import { z } from 'zod';

/** Alerts that get messages of their own within a budget of their own, so that a storm of others hides none of them. */
export type AlertTier = 'critical' | 'target' | 'other';

/** What is kept of a group of alerts, in UTF-16 units and items: text from outside is cut where it enters. */
export const alertBounds = {
  key: 1000,
  title: 200,
  text: 1000,
  severity: 40,
  link: 1500,
  alerts: 10,
  labels: 16,
  labelName: 100,
  labelValue: 200,
  targets: 100,
} as const;

export const alertStatus = z.enum(['firing', 'resolved']);
export type AlertStatus = z.output<typeof alertStatus>;

const labels = z.record(z.string(), z.string());

const alert = z.object({ status: alertStatus, labels, summary: z.string().optional() });
export type Alert = Readonly<z.output<typeof alert>>;

/** What people see of a group. Text is as it came, only cut: whoever shows it escapes it. */
export const alertContent = z.object({
  title: z.string(),
  text: z.string().optional(),
  /** The worst of those that fire. */
  severity: z.string().optional(),
  /** `https://…` */
  link: z.string().optional(),
  /** When it began and ended, in epoch milliseconds. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Some of them: those that fire first, of them those about a target, then the worst. */
  alerts: z.array(alert),
  /** The targets of the inventory that those which fire were about when they came, by name. */
  targets: z.array(z.string()).optional(),
  /** How many there are. */
  firing: z.number().int(),
  total: z.number().int(),
  /** Said beside the status: `acknowledged by Alice`. */
  note: z.string().optional(),
});
export type AlertContent = Readonly<z.output<typeof alertContent>>;

/** A group of alerts as its source tells of it. */
export interface AlertUpdate {
  /** The source's own name of the group. */
  readonly key: string;
  readonly status: AlertStatus;
  /** Alike for what tells nothing new. */
  readonly digest: string;
  /** Where an older update can come after a newer one: when the source made it. */
  readonly sentAt?: number | undefined;
  /** It names the beginning of each alert: the same digest, once resolved, is an old update that comes late. */
  readonly namesBeginnings?: true | undefined;
  readonly content: AlertContent;
}

/** A group as it is kept. */
export interface AlertGroup {
  readonly status: AlertStatus;
  readonly content: AlertContent;
  /** When the status last changed, in epoch milliseconds. */
  readonly statusAt: number;
}

/** Many groups that are told of in one message. */
export interface AlertStorm {
  readonly tier: AlertTier;
  /** Groups that fire, and all that came. */
  readonly firing: number;
  readonly total: number;
  /** Titles of groups that fire, the worst first, then the newest; of each the group that is the worst, then the newest. */
  readonly titles: readonly {
    readonly title: string;
    readonly firing: number;
    readonly content: AlertContent;
    readonly since: number;
  }[];
}

/** A message in Slack about one group, or about a storm of them. */
export interface AlertMessage {
  readonly id: string;
  readonly hook: string;
  readonly channel: string;
  /** Once it is posted. */
  readonly ts?: string | undefined;
  readonly version: number;
  readonly openedAt: number;
  readonly group?: AlertGroup | undefined;
  readonly storm?: AlertStorm | undefined;
  /** The title of a group that a newer message is about now. */
  readonly moved?: string | undefined;
}

/** Whether what the message is about goes on. */
export const isFiring = ({ group, storm }: AlertMessage): boolean =>
  group ? group.status === 'firing' : (storm?.firing ?? 0) > 0;
