import { hash } from 'node:crypto';

import { z } from 'zod';

import { someNames } from '../../text/words.ts';
import { alertBounds, type Alert, type AlertUpdate } from '../../model/records/alert.ts';
import { rankOf, worstOf } from '../fold.ts';
import { cut, firstLink, keptLabels, timeOf, type Reading } from './cut.ts';

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
export function readAlertmanager(body: unknown, { wanted, targetOf }: Reading): AlertUpdate {
  const sent = readDelivery(body);
  const about = new Map(sent.alerts.map((one) => [one, targetOf(one.labels)]));
  const firing = sent.alerts.filter((one) => one.status === 'firing').toSorted(byWeight(about));
  const ordered = [...firing, ...sent.alerts.filter((one) => one.status === 'resolved')];
  const [first] = ordered;
  const begun = times('startsAt', firing.length > 0 ? firing : ordered);
  const ended = sent.status === 'resolved' ? times('endsAt', ordered) : [];
  return {
    key: sent.groupKey,
    status: sent.status,
    digest: digestOf(sent),
    namesBeginnings: sent.alerts.every(({ startsAt }) => startsAt !== undefined) || undefined,
    content: {
      title: titleOf(sent),
      text: textOf(sent.commonAnnotations) ?? (first && textOf(first.annotations)),
      severity: cut(
        worstOf((firing.length > 0 ? firing : ordered).map(({ labels }) => labels['severity'])) ??
          sent.commonLabels['severity'],
        alertBounds.severity,
      ),
      link: firstLink([first?.panelURL, first?.dashboardURL, first?.generatorURL, sent.externalURL]),
      runbook: firstLink(
        [sent.commonAnnotations['runbook_url'], first?.annotations['runbook_url']],
        alertBounds.runbook,
      ),
      since: begun.length > 0 ? begun.reduce((one, other) => Math.min(one, other)) : undefined,
      until: ended.length > 0 ? ended.reduce((one, other) => Math.max(one, other)) : undefined,
      alerts: ordered.slice(0, alertBounds.alerts).map((one) => kept(one, wanted)),
      targets: [...new Set(firing.flatMap((one) => about.get(one) ?? []))].slice(0, alertBounds.targets),
      firing: firing.length,
      total: sent.alerts.length + sent.truncatedAlerts,
    },
  };
}

/** A message has room for a few alerts. Alerts about a target come first, then the worst. */
const byWeight =
  (about: ReadonlyMap<SentAlert, string | undefined>) =>
  (one: SentAlert, other: SentAlert): number =>
    Number(about.get(other) !== undefined) - Number(about.get(one) !== undefined) ||
    rankOf(other.labels['severity']) - rankOf(one.labels['severity']);

const times = (key: 'startsAt' | 'endsAt', of: readonly SentAlert[]): readonly number[] =>
  of.flatMap((one) => timeOf(one[key]) ?? []);

const kept = ({ status: its, labels, annotations }: SentAlert, wanted: ReadonlySet<string>): Alert => ({
  status: its,
  labels: keptLabels(labels, wanted),
  summary: cut(annotations['summary'] ?? annotations['description'], alertBounds.title),
});

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

/** A digest of the alerts and of their start times. Other changes in the body, such as a measured value, do not count. */
function digestOf({ status: group, alerts, truncatedAlerts }: Delivery): string {
  const lines = alerts.map(({ fingerprint, labels, status: its, startsAt = '' }) => {
    const id =
      fingerprint ??
      JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    return `${id} ${its} ${startsAt}`;
  });
  return hash('sha256', [group, truncatedAlerts, ...lines.toSorted()].join('\n'));
}
