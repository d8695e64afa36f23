import { type MetricPoint, metricsOf } from '../client/metrics-reply.ts';
import { intervalStart, meanLength } from '../client/metrics-range.ts';
import { addsUp, valueText } from './scale.ts';
import { spanText } from './times.ts';
import { granularityWords } from './plan.ts';
import { shortMetric, slowText } from './metric.ts';
import { type Measure, rateIn, rateText, isWhole, secondsOf, summarize } from './measure.ts';
import { type Measured, type MetricsView, sortedByRate, valueIn } from './view.ts';

export function metricsHeadline(view: MetricsView): string {
  const main = view.measures.find(({ metric }) => view.overall.summaries.has(metric));
  if (!main) return 'The service sent no values for this range.';
  const latest = latestOf(view, main);
  return [
    nowText(view, main, latest),
    ...staleText(view, main),
    ...peakText(view, main),
    ...hostText(view, main, latest),
  ].join('. ');
}

/**
 * Returns the end of the last interval with values, in epoch milliseconds, if that end is too long ago. The service may
 * be one interval late.
 */
function staleSince({ plan: { step, to, now }, overall }: MetricsView, measure: Measure): number | undefined {
  const last = overall.points.findLast((point) => hasValue(measure, point));
  const end = last && intervalStart(last.timestamp * 1000, step, 1);
  return end !== undefined && intervalStart(end, step, 2) <= Math.min(to, now) ? end : undefined;
}

function staleText(view: MetricsView, measure: Measure): string[] {
  const { times, plan } = view;
  const since = staleSince(view, measure);
  if (since === undefined) return [];
  const age = spanText(Math.floor((plan.now - since) / 60_000) * 60_000);
  return [`No data since ${times.moment(since)}, ${age} ago`];
}

/** A row without any value is not a count of zero. */
const hasValue = ({ read }: Measure, point: MetricPoint): boolean =>
  read(point) !== undefined && metricsOf(point).length > 0;

/** The last full interval summarizes a range up to now. A past range is summarized as a whole. */
function nowText(view: MetricsView, measure: Measure, latest: MetricPoint | undefined): string {
  const { metric, unit, read } = measure;
  const { overall, before, plan, scaleOf } = view;
  const rate = rateIn(measure, latest ? intervalOf(overall, measure, latest) : overall);
  const value = latest ? read(latest) : valueIn(measure, overall);
  const isNow = meanLength(plan.step) <= longestNow;
  const step = granularityWords(plan.step);
  const isStale = staleSince(view, measure) !== undefined;
  const current = isNow ? ' now' : ` in the last ${step}`;
  const when = latest && (isStale ? ` ${view.times.when(latest.timestamp * 1000)}` : current);
  const name = `${shortMetric(metric)}${when ?? ''}`;
  const earlier = before && rateIn(measure, before);
  const change = earlier === undefined ? '' : changeText(view, measure, rate ?? 0, earlier);
  if (!addsUp(unit)) {
    const meaning = unit === 'shares' ? ` of ${slowText}` : '';
    return `${name}: ${rateText(view, measure, rate ?? 0)}${meaning}${latest ? '' : ' on average'}${change}`;
  }
  if (value === undefined || value === 0) return `${name}: none${change}`;
  const span = latest && (isNow || isStale) ? ` in ${step}` : '';
  const counted = `${valueText(unit, value, scaleOf(unit))}${measure.total ? ` ${value === 1 ? 'error' : 'errors'}` : ''}${span}`;
  if (rate === undefined) return `${name}: ${counted}`;
  const of = measure.total ? ' of requests' : '';
  return `${name}: ${rateText(view, measure, rate)}${of} (${counted})${change}`;
}

/** In milliseconds. A longer last interval is not called “now”. */
const longestNow = 3_600_000;

function latestOf({ plan, overall }: MetricsView, measure: Measure): MetricPoint | undefined {
  const { step, now } = plan;
  if (intervalStart(plan.to, step, 1) <= now) return undefined;
  const until = { step, to: Math.min(plan.to, now) };
  return overall.points.findLast(
    (point) => isWhole(point.timestamp * 1000, until) && hasValue(measure, point),
  );
}

const named: Readonly<Record<string, string>> = { '1h': 'hour', '1d': 'day', '7d': 'week' };

function changeText(view: MetricsView, measure: Measure, now: number, before: number): string {
  const length = spanText(view.plan.to - view.plan.from);
  const span = `in the ${named[length] ?? length} before the range`;
  const [text, earlier] = [now, before].map((rate) => rateText(view, measure, rate));
  if (addsUp(measure.unit) && before === 0) return `, none ${span}${now === 0 ? ' either' : ''}`;
  if (text === earlier) return `, same as ${span}`;
  return `, ${now > before ? 'up' : 'down'} from ${earlier} ${span}`;
}

function peakText({ overall, plan, times, scaleOf }: MetricsView, measure: Measure): string[] {
  const { metric, unit } = measure;
  const summary = overall.summaries.get(metric);
  if (!summary || summary.lowest.value === summary.highest.value) return [];
  const { value, at } = unit === 'ratio' ? summary.lowest : summary.highest;
  const interval = addsUp(unit) ? ` in ${granularityWords(plan.step)}` : '';
  return [
    `${extremeWord(measure)} ${valueText(unit, value, scaleOf(unit))}${interval} ${times.when(at * 1000)}`,
  ];
}

const extremeWord = ({ unit }: Measure): string => {
  if (unit === 'ratio') return 'Lowest';
  return unit === 'shares' ? 'Worst' : 'Peak';
};

/** An outlier has this many times the overall rate. */
const outstanding = 2;

function hostText(view: MetricsView, measure: Measure, latest: MetricPoint | undefined): string[] {
  const told = (of: Measured): Measured => (latest ? intervalOf(of, measure, latest) : of);
  const overall = told(view.overall);
  const [first, second] = sortedByRate(measure, view.hosts.map(told), overall);
  const [rate, all] = [first && rateIn(measure, first), rateIn(measure, overall)];
  if (!first || !second || rate === undefined || (rate === 0 && measure.unit !== 'ratio')) return [];
  const text = rateText(view, measure, rate);
  if (measure.total && all !== undefined && rate >= outstanding * all)
    return [`${first.name} stands out: ${text}`];
  return [`${highestWord(measure)}: ${first.name}, ${text}`];
}

function intervalOf(of: Measured, { metric, read }: Measure, at: MetricPoint): Measured {
  const points = of.points.filter(({ timestamp }) => timestamp === at.timestamp);
  const summary = summarize(points, read, of.intervals);
  const seconds = secondsOf([at], of.intervals);
  return { ...of, points, seconds, summaries: new Map(summary && [[metric, summary]]) };
}

const highestWord = (measure: Measure): string => {
  if (measure.total) return 'Highest';
  return measure.unit === 'ratio' || measure.unit === 'shares' ? extremeWord(measure) : 'Most';
};
