import { hash } from 'node:crypto';

interface SampleAlert {
  readonly alertname?: string;
  readonly instance?: string;
  readonly status?: 'firing' | 'resolved';
  readonly startsAt?: string;
  /** When a resolved alert ended. */
  readonly endsAt?: string;
  readonly summary?: string;
  readonly severity?: string;
  readonly runbook?: string;
}

/** A group as Alertmanager posts it. */
export function alertmanagerBody(
  alerts: readonly SampleAlert[] = [{}],
  more: Readonly<Record<string, unknown>> = {},
): string {
  const sent = alerts.map((alert) => {
    const {
      alertname = 'InstanceDown',
      instance = 'web-1',
      status = 'firing',
      startsAt = '2026-11-21T02:58:00.000Z',
      endsAt = '2026-11-21T03:10:00.000Z',
      summary = `${instance} does not answer`,
      severity = 'critical',
      runbook,
    } = alert;
    return {
      status,
      labels: { alertname, instance, severity, job: 'node' },
      annotations: { summary, runbook_url: runbook },
      startsAt,
      endsAt: status === 'resolved' ? endsAt : '0001-01-01T00:00:00Z',
      generatorURL: `https://prometheus.example/graph?g0.expr=up&instance=${instance}`,
      fingerprint: hash('sha256', `${alertname} ${instance}`).slice(0, 16),
    };
  });
  const [first] = sent;
  const common = sent.every(({ labels }) => labels.alertname === first?.labels.alertname)
    ? { alertname: first?.labels.alertname, severity: 'critical' }
    : {};
  return JSON.stringify({
    version: '4',
    groupKey: `{}:{alertname="${first?.labels.alertname}", instance="${first?.labels.instance}"}`,
    truncatedAlerts: 0,
    status: sent.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    receiver: 'bellhop',
    groupLabels: common,
    commonLabels: common,
    commonAnnotations: sent.length === 1 ? first?.annotations : {},
    externalURL: 'https://alertmanager.example',
    alerts: sent,
    ...more,
  });
}
