/**
 * The body that Alertmanager posts to a webhook, version 4. Source:
 * prometheus.io/docs/alerting/latest/configuration/#webhook_config.
 */

/**
 * The alerts that can be fired, with the labels and texts that Prometheus would give them. `%` stands for the instance.
 */
export const ALERTS = {
  InstanceDown: { severity: 'critical', expression: 'up == 0', summary: '% is down' },
  HighCpuLoad: { severity: 'warning', expression: 'cpu_load > 0.9', summary: 'CPU of % is above 90 %' },
  DiskAlmostFull: {
    severity: 'warning',
    expression: 'disk_free < 0.05',
    summary: '% has 5 % of its disk left',
  },
  HighErrorRate: {
    severity: 'critical',
    expression: 'rate(http_5xx[5m]) > 0.05',
    summary: '% returns 5xx for more than 5 % of its requests',
  },
} as const;
export type AlertName = keyof typeof ALERTS;
export const ALERT_NAMES = [
  'InstanceDown',
  'HighCpuLoad',
  'DiskAlmostFull',
  'HighErrorRate',
] as const satisfies readonly AlertName[];

/** An alert in its own group, by its name and instance. */
export interface FiredAlert {
  readonly alertname: AlertName;
  readonly instance: string;
  /** Epoch milliseconds. */
  readonly startsAt: number;
  /** Epoch milliseconds; undefined while it fires. */
  readonly endsAt: number | undefined;
}

/** Go's zero time, for an alert that has not ended. */
const NEVER = '0001-01-01T00:00:00Z';

/** Equal for all notifications about one alert. */
export function groupKeyOf({ alertname, instance }: FiredAlert): string {
  return `{}:{alertname="${alertname}", instance="${instance}"}`;
}

export function webhookBody(alert: FiredAlert): Record<string, unknown> {
  const { alertname, instance, startsAt, endsAt } = alert;
  const { severity, expression, summary } = ALERTS[alertname];
  const status = endsAt === undefined ? 'firing' : 'resolved';
  const labels = { alertname, instance, job: 'node', severity };
  const annotations = {
    summary: `${summary.replace('%', instance)}.`,
    description: `${expression} for more than a minute.`,
  };
  return {
    version: '4',
    groupKey: groupKeyOf(alert),
    truncatedAlerts: 0,
    status,
    receiver: 'chat',
    groupLabels: { alertname, instance },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: 'https://alertmanager.example.com',
    alerts: [
      {
        status,
        labels,
        annotations,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: endsAt === undefined ? NEVER : new Date(endsAt).toISOString(),
        generatorURL: `https://prometheus.example.com/graph?g0.expr=${encodeURIComponent(expression)}&g0.tab=1`,
        fingerprint: fingerprint(labels),
      },
    ],
  };
}

const utf8 = new TextEncoder();
const FNV_OFFSET = 14_695_981_039_346_656_037n;
const FNV_PRIME = 1_099_511_628_211n;
const SEPARATOR = 0xff;

/** FNV-1a of the labels in the order of their names, as in Prometheus. */
function fingerprint(labels: Readonly<Record<string, string>>): string {
  const bytes: number[] = [];
  for (const name of Object.keys(labels).toSorted())
    bytes.push(...utf8.encode(name), SEPARATOR, ...utf8.encode(labels[name]), SEPARATOR);
  const hash = bytes.reduce((sum, byte) => BigInt.asUintN(64, (sum ^ BigInt(byte)) * FNV_PRIME), FNV_OFFSET);
  return hash.toString(16).padStart(16, '0');
}
