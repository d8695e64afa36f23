import { z } from 'zod';
import {
  type MetricUnit,
  isSpeedMetric,
  metricNames,
  metricUnits,
} from '../../../service/schemas/cdn/metrics-names.ts';
import { didYouMean } from '../../../command/grammar/nearest.ts';
import { abridged } from '../../../command/grammar/typed-text.ts';

/** How a metric is typed and shown: `5xx`, `speed`, `origin_503`. Others than the known keep their name. */
export const shortName = (metric: string): string =>
  metric
    .replace(/^edge_/u, '')
    .replace('status_', '')
    .replace('download_speed', 'speed');

/** Every way to type a metric: whole, without `edge_`, `status_` or `download_`, or without any of them. */
const byTyped = new Map(
  metricNames.flatMap((name) =>
    [name, name.replace('status_', ''), name.replace('download_', '')]
      .flatMap((each) => [each, each.replace(/^edge_/u, '')])
      .concat(shortName(name))
      .map((typed) => [typed, name] as const),
  ),
);

const known =
  '1xx 200 204 206 2xx 301 302 304 3xx 400 401 403 404 416 429 4xx 500–505 5xx, requests, requests_total, bandwidth, ' +
  'hit_ratio, hit_bytes and speed; of the origin the statuses, requests, bandwidth and speed, such as origin_5xx';

const rangeText = /^(?:today|yesterday|now|\d{4}-\d{2}-\d{2}.*|\d+[mhd])$/u;

/** A metric as typed, short or long, read to its long name. */
export const metricName = z
  .string()
  .trim()
  .transform((typed, context): string => {
    const wanted = typed.toLowerCase().replaceAll('-', '_');
    const name = byTyped.get(wanted);
    if (name !== undefined) return name;
    const guess = rangeText.test(wanted)
      ? ' A range is given as --last 2h, or --from and --to.'
      : /^\dxx$/u.test(wanted)
        ? ' Did you mean 4xx or 5xx?'
        : didYouMean(wanted, byTyped.keys());
    const message = `${abridged(typed)} is not a metric.${guess === '' ? ` There are ${known}.` : guess}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** How many requests there were, whatever came of them. */
export const edgeTotal = 'edge_requests_total';

/** Whether a metric counts errors that visitors saw: a share of {@link edgeTotal}. */
export const isEdgeError = (metric: string): boolean => /^edge_status_[45]/u.test(metric);

/** Unit of a metric's values; undefined where Bellhop does not know the metric. */
export const unitOf = (metric: string): MetricUnit | undefined =>
  // A service may name a metric `valueOf`: only what the table itself holds is a unit.
  Object.hasOwn(metricUnits, metric) ? metricUnits[metric] : isSpeedMetric(metric) ? 'shares' : undefined;
