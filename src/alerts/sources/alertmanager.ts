import { hash } from 'node:crypto';

import { z } from 'zod';

import { someNames } from '../../text/words.ts';
import { alertBounds, type Alert, type AlertUpdate, type FiringAlert } from '../../model/records/alert.ts';
import { rankOf, worstOf } from '../severity.ts';
import { distinctNames } from '../unite.ts';
import { cut, firstLink, keptLabels, sourceLink, timeOf, type Reading } from './cut.ts';

const text = z.string().optional().catch(undefined);
/** Drops values of other types, which Grafana's templates can produce. A zod record would be slow for 100,000 labels. */
const texts = z
  .unknown()
  .optional()
  .transform((all) =>
    Object.fromEntries(
      Object.entries(all ?? {}).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as const] : [],
      ),
    ),
  );

/** If in doubt, the alert is firing. A false alarm costs less than a missed alert. */
const status = z.enum(['firing', 'resolved']).catch('firing');

const alert = z.object({
  status,
  labels: texts,
  annotations: texts,
  startsAt: text,
  endsAt: text,
  generatorURL: text,
  fingerprint: text,
  dashboardURL: text,
  panelURL: text,
});
type SentAlert = z.output<typeof alert>;

/** At most this many alerts of one body are read, because reading blocks the process. Further alerts are only counted. */
const maxAlerts = 10_000;
const maxTruncated = 1_000_000;

/**
 * The body of Alertmanager's webhook, version 4. Grafana sends the same body with more fields. Source:
 * prometheus.io/docs/alerting/latest/configuration, "webhook_config".
 */
const delivery = z.object({
  groupKey: z.string().min(1),
  status: z.enum(['firing', 'resolved']),
  receiver: text,
  groupLabels: texts,
  commonLabels: texts,
  commonAnnotations: texts,
  externalURL: text,
  truncatedAlerts: z
    .int()
    .min(0)
    .catch(0)
    .transform((count) => Math.min(count, maxTruncated)),
  alerts: z.array(z.unknown()).min(1),
});
const readPart = z.object({ alerts: z.array(alert) });
type Delivery = Omit<z.output<typeof delivery>, 'alerts'> & z.output<typeof readPart>;

function readDelivery(body: unknown): Delivery {
  const { alerts: all, truncatedAlerts, ...group } = delivery.parse(body);
  const { alerts } = readPart.parse({ alerts: all.slice(0, maxAlerts) });
  return { ...group, alerts, truncatedAlerts: truncatedAlerts + all.length - alerts.length };
}

/** @throws ZodError for any other body */
export function readAlertmanager(body: unknown, { wanted, targetOf, subjectOf }: Reading): AlertUpdate {
  const sent = readDelivery(body);
  const sender = hash('sha256', sent.externalURL ?? '').slice(0, 12);
  const ids = new Set(sent.alerts.map((one) => idOf(one)));
  const batch = hash('sha256', [...ids].join('\n')).slice(0, 12);
  const about: About = new Map(
    sent.alerts.map((one) => {
      const { labels } = one;
      const on = cut(subjectOf(labels), alertBounds.labelName);
      const severity = cut(labels['severity'], alertBounds.severity);
      const like = hashOf({ ...labels, severity: '' });
      return [one, { id: idOf(one), like, sender, batch, severity, target: targetOf(labels), on }];
    }),
  );
  const firing = sent.alerts.filter((one) => one.status === 'firing').toSorted(byWeight(about));
  const ordered = [...firing, ...sent.alerts.filter((one) => one.status === 'resolved')];
  const current = firing.length > 0 ? firing : ordered;
  const [first] = ordered;
  const begun = times('startsAt', current);
  const ended = sent.status === 'resolved' ? times('endsAt', ordered) : [];
  const shown = new Set([...wanted, ...Object.keys(sent.groupLabels), ...differing(sent)]);
  const content = {
    title: titleOf(sent),
    text: textOf(sent.commonAnnotations) ?? (first && textOf(first.annotations)),
    severity: cut(
      worstOf(current.map(({ labels }) => labels['severity'])) ?? sent.commonLabels['severity'],
      alertBounds.severity,
    ),
    since: begun.length > 0 ? begun.reduce((one, other) => Math.min(one, other)) : undefined,
    until: ended.length > 0 ? ended.reduce((one, other) => Math.max(one, other)) : undefined,
    alerts: ordered.slice(0, alertBounds.alerts).map((one) => kept(one, shown)),
    targets: distinctNames(firing.map((one) => about.get(one)?.target)),
    on: distinctNames(current.map((one) => about.get(one)?.on)),
    group: keptLabels(sent.groupLabels, wanted),
    firing: firing.length,
    total: sent.alerts.length + sent.truncatedAlerts,
    unread: sent.truncatedAlerts > 0 ? sent.truncatedAlerts : undefined,
  };
  return {
    key: sent.groupKey,
    status: sent.status,
    digest: digestOf(sent, content),
    beginnings: beginningsOf(sent),
    named: { sender, ids, firing: namedIn(sent, about, firing), isPartial: sent.truncatedAlerts > 0 },
    content: {
      ...content,
      link: sourceLink([first?.panelURL, first?.dashboardURL, first?.generatorURL, sent.externalURL]),
      runbook: firstLink(
        [sent.commonAnnotations['runbook_url'], first?.annotations['runbook_url']],
        alertBounds.runbook,
      ),
    },
  };
}

type About = ReadonlyMap<SentAlert, FiringAlert>;

const hashOf = (labels: SentAlert['labels']): string =>
  hash(
    'sha256',
    JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  ).slice(0, 16);

/** A fingerprint, or else the labels, by which Alertmanager identifies an alert. */
const idOf = ({ fingerprint, labels }: SentAlert): string =>
  fingerprint !== undefined && fingerprint.length <= 32 ? fingerprint : hashOf(labels);

const namedIn = (
  { status: its }: Delivery,
  about: About,
  firing: readonly SentAlert[],
): readonly FiringAlert[] =>
  its === 'firing' ? firing.slice(0, alertBounds.firing).flatMap((one) => about.get(one) ?? []) : [];

/** A message has room for a few alerts. Alerts about a target come first, then the worst. */
const byWeight =
  (about: About) =>
  (one: SentAlert, other: SentAlert): number =>
    Number(about.get(other)?.target !== undefined) - Number(about.get(one)?.target !== undefined) ||
    rankOf(other.labels['severity']) - rankOf(one.labels['severity']);

const times = (key: 'startsAt' | 'endsAt', of: readonly SentAlert[]): readonly number[] =>
  of.flatMap((one) => timeOf(one[key]) ?? []);

const kept = (one: SentAlert, shown: ReadonlySet<string>): Alert => ({
  id: idOf(one),
  status: one.status,
  labels: keptLabels(one.labels, shown),
  summary: cut(one.annotations['summary'] ?? one.annotations['description'], alertBounds.title),
});

/** The labels that tell the alerts of a group apart. */
const differing = ({ alerts, commonLabels }: Delivery): readonly string[] =>
  alerts
    .slice(0, alertBounds.alerts)
    .flatMap(({ labels }) => Object.keys(labels).filter((name) => !Object.hasOwn(commonLabels, name)));

function titleOf({ commonLabels, groupLabels, alerts, receiver }: Delivery): string {
  const common = commonLabels['alertname'] ?? groupLabels['alertname'];
  const names = new Set(alerts.flatMap(({ labels }) => labels['alertname'] ?? []));
  return (
    cut(common ?? someNames([...names]), alertBounds.title) ?? cut(receiver, alertBounds.title) ?? 'Alert'
  );
}

function textOf(annotations: Readonly<Record<string, string>>): string | undefined {
  const { summary, description, message } = annotations;
  const said = [summary, description ?? message].filter((part) => part !== undefined && part !== '');
  return cut([...new Set(said)].join('\n'), alertBounds.text);
}

/** A digest of what people see, apart from links, which differ between the peers of a cluster. */
const digestOf = (sent: Delivery, content: object): string =>
  hash(
    'sha256',
    JSON.stringify([
      sent.status,
      { ...content, until: undefined },
      sent.alerts.map((one) => `${idOf(one)} ${one.status} ${one.startsAt}`).toSorted(),
    ]),
  );

function beginningsOf({ alerts }: Delivery): string | undefined {
  const lines = alerts.map((one) => `${idOf(one)} ${one.startsAt}`);
  if (alerts.some(({ startsAt }) => startsAt === undefined)) return undefined;
  return hash('sha256', lines.toSorted().join('\n'));
}
