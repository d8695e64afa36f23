import { Counter, Histogram } from 'prom-client';

import { createMetrics } from '../src/app/health/metrics.ts';
import { features } from '../src/features/index.ts';
import { Moment } from '../src/host/metrics.ts';

const { registry, declare } = createMetrics();
const ofKernel = new Set(registry.getMetricsAsArray().map(({ name }) => name));
for (const feature of features) feature.metrics?.(declare);
const metrics = await registry.getMetricsAsJSON();
const shown = new Set<string>();

type Query = readonly [expression: string, legend: string];

interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries';
  readonly unit: string;
  readonly description: string;
  readonly queries: readonly Query[];
}

/**
 * Every metric of the kernel must have a panel, or generation fails. Metrics of features have their panels in the last
 * row.
 */
const rows: Readonly<Record<string, readonly Panel[]>> = {
  'Needs attention': [
    count('Unknown', 'bellhop_requests', 'state="unknown"'),
    count('Awaiting approval', 'bellhop_requests', 'state="awaiting approval"'),
    count('Running', 'bellhop_requests', 'state="running"'),
    greatest('Age of the oldest', 'bellhop_requests_oldest_seconds', 'state', 's'),
    least('Parts of /readyz', 'bellhop_ready', 'part'),
  ],
  Answers: [
    times('Time to acknowledgement', 'bellhop_acks_seconds'),
    rate('Rejected as overloaded', 'bellhop_acks_seconds_count', 'status', 'kind="busy"'),
    rate('Rejected with 503', 'bellhop_acks_seconds_count', 'kind', 'status="503"'),
    rate('Commands by outcome', 'bellhop_operations_total', 'outcome'),
    rate('Bad outcomes', 'bellhop_operations_total', 'operation', 'outcome=~"unknown|denied|failed"'),
  ],
  'The service': [
    times('Call duration', 'bellhop_service_calls_seconds', 'endpoint'),
    rate('Calls by status', 'bellhop_service_calls_seconds_count', 'status'),
    rate('Answers', 'bellhop_service_answers_total', 'result'),
    rate('Errors in your own operations', 'bellhop_own_operation_errors_total', 'kind'),
    greatest('Circuit breaker open', 'bellhop_service_breaker_open', 'area'),
  ],
  Slack: [
    times('Call duration', 'bellhop_slack_calls_seconds', 'method'),
    rate('Rate-limited (429)', 'bellhop_slack_calls_seconds_count', 'method', 'outcome="ratelimited"'),
    panel(
      'Socket Mode connections',
      'bellhop_slack_connections',
      'short',
      [`sum(${series('bellhop_slack_connections', 'by="bellhop"')})`, 'held by the replicas'],
      [`max(${series('bellhop_slack_connections', 'by="slack"')})`, 'counted by Slack'],
    ),
  ],
  'Overdue work': [
    greatest('Overdue', 'bellhop_due', 'kind'),
    greatest('Age of the oldest', 'bellhop_due_oldest_seconds', 'kind', 's'),
  ],
  'The store': [
    times('Call duration', 'bellhop_store_seconds', 'method'),
    rate('Errors', 'bellhop_store_errors_total', 'method'),
    greatest('Unreadable rows', 'bellhop_unreadable_rows', 'table'),
    since('Since the store was rolled back', 'bellhop_store_set_back_seconds', 'job'),
    rate('Old requests removed', 'bellhop_requests_removed_total', 'job'),
  ],
  'The audit log': [
    greatest('Entries', 'bellhop_audit_entries', 'job'),
    greatest('Not sealed', 'bellhop_audit_unsealed_entries', 'job'),
    greatest('Oldest not sealed', 'bellhop_oldest_unsealed_audit_entry_seconds', 'job', 's'),
  ],
  'The process': [
    greatest('Memory', 'process_resident_memory_bytes', 'instance', 'bytes'),
    greatest('Heap', 'nodejs_heap_size_used_bytes', 'instance', 'bytes'),
    { ...rate('CPU', 'process_cpu_seconds_total', 'instance'), unit: 'percentunit' },
    greatest('Event-loop lag, p99 (idle: 0.1 s)', 'nodejs_eventloop_lag_p99_seconds', 'instance', 's'),
    panel('Clock skew', 'bellhop_clock_skew_seconds', 's', [
      `max by (source) (abs(${series('bellhop_clock_skew_seconds')}))`,
      '{{source}}',
    ]),
    greatest('Versions', 'bellhop_info', 'version'),
    { ...since('Rules in force for', 'bellhop_rules_in_force_since_seconds', 'policy'), type: 'stat' },
  ],
};

/**
 * `deploy/grafana-dashboard.json`. @throws Error if a panel uses a metric that does not exist, or a metric has no panel
 */
export function dashboard(): unknown {
  const own = metrics.filter(({ name }) => !ofKernel.has(name)).map(plain);
  const left = metrics.filter(({ name }) => name.startsWith('bellhop_') && !shown.has(name));
  if (left.length > 0)
    throw new Error(`scripts/dashboard.ts shows no ${left.map(({ name }) => name).join(', ')}`);
  return {
    uid: 'bellhop',
    title: 'Bellhop',
    tags: ['bellhop'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' },
        {
          name: 'job',
          type: 'query',
          datasource,
          query: { query: 'label_values(bellhop_info, job)', refId: 'job' },
          refresh: 1,
        },
      ],
    },
    panels: laidOut(own.length > 0 ? { ...rows, Features: own } : rows),
  };
}

/** One number for all replicas, because they all report the same shared state. */
function count(title: string, metric: string, condition: string): Panel {
  return { ...panel(title, metric, 'short', [`max(${series(metric, condition)})`, '']), type: 'stat' };
}

function greatest(title: string, metric: string, by: string, unit = 'short'): Panel {
  return panel(title, metric, unit, [`max by (${by}) (${series(metric)})`, `{{${by}}}`]);
}

/** How long ago the time in a metric was. The metric is in Unix seconds. */
function since(title: string, metric: string, by: string): Panel {
  return panel(title, metric, 's', [`time() - max by (${by}) (${series(metric)})`, `{{${by}}}`]);
}

/** For a metric that is 1 while all is well. */
function least(title: string, metric: string, by: string): Panel {
  return panel(title, metric, 'bool_yes_no', [`min by (${by}) (${series(metric)})`, `{{${by}}}`]);
}

function rate(title: string, metric: string, by: string, condition = ''): Panel {
  const each = `rate(${series(metric, condition)}[$__rate_interval])`;
  return panel(title, metric, 'ops', [`sum by (${by}) (${each})`, `{{${by}}}`]);
}

/** The median and the 99th percentile of a histogram. */
function times(title: string, metric: string, by?: string): Panel {
  const labels = by === undefined ? 'le' : `le, ${by}`;
  const buckets = `sum by (${labels}) (rate(${series(`${metric}_bucket`)}[$__rate_interval]))`;
  const legend = by === undefined ? '' : ` {{${by}}}`;
  return panel(
    title,
    metric,
    's',
    [`histogram_quantile(0.5, ${buckets})`, `p50${legend}`],
    [`histogram_quantile(0.99, ${buckets})`, `p99${legend}`],
  );
}

/** A metric of a feature, with all its labels. */
function plain({ name }: (typeof metrics)[number]): Panel {
  const metric = registry.getSingleMetric(name);
  const title = name.replace(/^bellhop_/u, '').replace(/_(?:total|seconds)$/u, '');
  if (metric instanceof Histogram) return times(title, name);
  if (metric instanceof Counter) {
    const rates = `sum without (instance, pod) (rate(${series(name)}[$__rate_interval]))`;
    return panel(title, name, 'ops', [rates, '__auto']);
  }
  const value = `max without (instance, pod) (${series(name)})`;
  if (metric instanceof Moment) return panel(`since ${title}`, name, 's', [`time() - ${value}`, '__auto']);
  return panel(title, name, name.endsWith('_seconds') ? 's' : 'short', [value, '__auto']);
}

function series(metric: string, condition = ''): string {
  return `${metric}{job="$job"${condition && `, ${condition}`}}`;
}

function panel(title: string, metric: string, unit: string, ...queries: readonly Query[]): Panel {
  const known = metrics.find(({ name }) => name === metric.replace(/_(?:count|sum)$/u, ''));
  if (!known) throw new Error(`scripts/dashboard.ts: there is no metric ${metric}`);
  shown.add(known.name);
  return { title, type: 'timeseries', unit, description: known.help, queries };
}

const datasource = { type: 'prometheus', uid: '${datasource}' };
const columns = 24;
const height = 7;
/** How many panels are side by side. Narrower panels cannot be read. */
const side = 4;

/** A heading, then its panels, four side by side; Grafana counts columns and lines of a grid. */
function laidOut(all: typeof rows): readonly unknown[] {
  const placed: unknown[] = [];
  let y = 0;
  for (const [title, panels] of Object.entries(all)) {
    placed.push({
      id: placed.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: columns, h: 1 },
      panels: [],
    });
    const w = Math.floor(columns / Math.min(panels.length, side));
    for (const [index, one] of panels.entries()) {
      const line = Math.floor(index / side);
      placed.push({
        id: placed.length + 1,
        ...drawn(one),
        gridPos: { x: (index % side) * w, y: y + 1 + line * height, w, h: height },
      });
    }
    y += 1 + Math.ceil(panels.length / side) * height;
  }
  return placed;
}

const drawn = ({ queries, unit, ...rest }: Panel): object => ({
  ...rest,
  datasource,
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: queries.map(([expr, legendFormat], index) => ({
    refId: `query ${index + 1}`,
    datasource,
    expr,
    legendFormat,
  })),
});
