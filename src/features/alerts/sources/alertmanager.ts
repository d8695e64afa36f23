import { hash } from 'node:crypto';

import { z } from 'zod';

import { someNames } from '../../../text/words.ts';
import { alertBounds, type AlertUpdate } from '../group/record.ts';
import { highestRank, rankOf, worstOf } from '../group/severity.ts';
import { partition, pickTime } from '../group/unite.ts';
import { firstLink } from '../../../text/host.ts';
import { cut } from '../../../text/words.ts';
import { keptLabels, shownAlerts, sourceLink, textsIn, timeOf, type Reading } from './cut.ts';

const text = z.string().optional().catch(undefined);
/** Drops values of other types, which Grafana's templates can produce. A zod record would be slow for 100,000 labels. */
const texts = z.unknown().optional().transform(textsIn);

const alert = z.object({
  /** If in doubt, the alert is firing. A false alarm costs less than a missed alert. */
  status: z.enum(['firing', 'resolved']).catch('firing'),
  labels: texts,
  annotations: texts,
  startsAt: text,
  endsAt: text,
  generatorURL: text,
  fingerprint: text,
  dashboardURL: text,
  panelURL: text,
});

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

function readDelivery(body: unknown, reading: Reading) {
  const { alerts: all, truncatedAlerts, groupKey: key, ...group } = delivery.parse(body);
  const { alerts } = readPart.parse({ alerts: all.slice(0, maxAlerts) });
  const unread = truncatedAlerts + all.length - alerts.length;
  const ranks = new Map<string | undefined, number>();
  const rank = (severity: string | undefined): number => ranks.getOrInsertComputed(severity, rankOf);
  return { ...group, key, alerts: alerts.map((one) => identified(one, reading, rank)), unread };
}
type Delivery = ReturnType<typeof readDelivery>;
type SentAlert = Delivery['alerts'][number];

function identified(sent: z.output<typeof alert>, { about }: Reading, rank: typeof rankOf) {
  const { labels, annotations, fingerprint = '' } = sent;
  const { target, on } = about(labels);
  const severity = cut(labels['severity'], alertBounds.severity);
  return {
    ...sent,
    // Alertmanager identifies an alert by its labels.
    id: fingerprint !== '' && fingerprint.length <= 32 ? fingerprint : hashOf(labels),
    target,
    on,
    severity,
    summary: cut(annotations['summary'] ?? annotations['description'], alertBounds.title),
    // A message has room for a few alerts. Alerts about a target come first, then the worst.
    weight: (target === undefined ? 0 : highestRank + 1) + rank(severity),
  };
}

/** @throws ZodError for a body that is not Alertmanager's */
export function readAlertmanager(body: unknown, reading: Reading): AlertUpdate {
  const { wanted } = reading;
  const sent = readDelivery(body, reading);
  const { key, status, commonAnnotations, commonLabels, groupLabels, unread } = sent;
  const [firing, ended] = partition(sent.alerts, (one) => one.status === 'firing');
  const ordered = [...firing.toSorted((one, other) => other.weight - one.weight), ...ended];
  const current = firing.length > 0 ? firing : ended;
  const [first] = ordered;
  const worst = worstOf(current.map(({ severity }) => severity));
  const content = {
    title: titleOf(sent, current),
    text: textOf(commonAnnotations) ?? (first && textOf(first.annotations)),
    severity: worst ?? cut(commonLabels['severity'], alertBounds.severity),
    since: pickTime(timesOf(current, 'startsAt')),
    until: status === 'resolved' ? pickTime(timesOf(ended, 'endsAt'), Math.max) : undefined,
    ...shownAlerts(
      ordered,
      new Set([...wanted, ...Object.keys(groupLabels), ...differing(sent)]),
      reading.annotations,
    ),
    group: keptLabels(groupLabels, wanted),
    total: sent.alerts.length + unread,
    unread: unread > 0 ? unread : undefined,
  };
  return {
    key,
    status,
    ...digestsOf(sent, content),
    named: namedIn(sent, ordered.slice(0, Math.min(firing.length, alertBounds.firing))),
    content: {
      ...content,
      link: sourceLink([first?.panelURL, first?.dashboardURL, first?.generatorURL, sent.externalURL]),
      runbook: firstLink(
        [commonAnnotations['runbook_url'], first?.annotations['runbook_url']],
        alertBounds.runbook,
      ),
    },
  };
}

/** Many alerts of a group have the same time, so each time is parsed once. */
const timesOf = (alerts: readonly SentAlert[], key: 'startsAt' | 'endsAt') =>
  [...new Set(alerts.map((one) => one[key]))].map(timeOf);

const shortHash = (of: string): string => hash('sha256', of).slice(0, 16);

const hashOf = (labels: Readonly<Record<string, string>>): string =>
  shortHash(
    JSON.stringify(
      Object.keys(labels)
        .toSorted()
        .map((name) => [name, labels[name]]),
    ),
  );

function namedIn(sent: Delivery, firing: readonly SentAlert[]): AlertUpdate['named'] {
  const sender = shortHash(sent.externalURL ?? '');
  const ids = new Set(sent.alerts.map(({ id }) => id));
  const batch = shortHash([...ids].join('\n'));
  const alerts = firing.map(({ id, labels, severity, target, on }) => {
    const like = hashOf({ ...labels, severity: '' });
    return { id, like, sender, batch, severity, target, on };
  });
  return { sender, ids, firing: sent.status === 'firing' ? alerts : [], isPartial: sent.unread > 0 };
}

const differing = ({ alerts, commonLabels }: Delivery): readonly string[] =>
  alerts
    .slice(0, alertBounds.alerts)
    .flatMap(({ labels }) => Object.keys(labels).filter((name) => !Object.hasOwn(commonLabels, name)));

function titleOf({ commonLabels, groupLabels, receiver }: Delivery, current: readonly SentAlert[]): string {
  const names = () => [...new Set(current.flatMap(({ labels }) => labels['alertname'] ?? []))];
  const title = commonLabels['alertname'] ?? groupLabels['alertname'] ?? someNames(names());
  return cut(title, alertBounds.title) ?? cut(receiver, alertBounds.title) ?? 'Alert';
}

function textOf({ summary, description, message }: SentAlert['annotations']): string | undefined {
  const said = new Set([summary, description ?? message].filter((part) => part !== undefined && part !== ''));
  return cut([...said].join('\n'), alertBounds.text);
}

/** `digest` covers what people see without links, which differ between the peers of a cluster. */
function digestsOf({ status, alerts }: Delivery, content: object) {
  const states = alerts.map((one) => `${one.id} ${one.startsAt} ${one.status}`).toSorted();
  const begun = () => states.map((line) => line.slice(0, line.lastIndexOf(' '))).join('\n');
  const isKnown = alerts.every(({ startsAt }) => startsAt !== undefined);
  return {
    digest: hash('sha256', JSON.stringify([status, { ...content, until: undefined }, states])),
    beginnings: isKnown ? hash('sha256', begun()) : undefined,
  };
}
