import type { MetricsReply } from '../../../api/metrics-reply.ts';
import type { Reply } from '../../../api/reply.ts';
import { countPoints } from '../../../api/schemas/metrics-range.ts';
import type { Fact, ReportParts } from '../../../core/model/report.ts';
import { replyNotes } from '../../reply-notes.ts';
import { filterText } from './metric-filter.ts';
import { shortName } from './metric-name.ts';
import { addsUp, unitOf } from './metric-values.ts';
import { metricsCharts } from './metrics-charts.ts';
import { metricsCsv } from './metrics-csv.ts';
import { metricsHeadline } from './metrics-headline.ts';
import { shortLast, type MetricsPlan, type ShortInterval } from './metrics-plan.ts';
import { metricsTables } from './metrics-tables.ts';
import { granularityWords } from './granularity.ts';
import { metricsView, type MetricsView } from './metrics-view.ts';
import { spanText } from './span-text.ts';
import type { TimeRange } from './time-range.ts';

/** The range before, or why it is not known. */
export type Earlier =
  | { readonly range: TimeRange; readonly reply: Reply<MetricsReply> }
  | { readonly problem: string };

/** What the service said to a plan. */
export interface MetricsAnswer {
  readonly plan: MetricsPlan;
  readonly overall: Reply<MetricsReply>;
  /** Undefined where nothing was to be grouped. */
  readonly grouped: Reply<MetricsReply> | undefined;
  readonly earlier: Earlier;
  /** The zone of the profile where it is none. */
  readonly unknownZone: string | undefined;
}

export function metricsReport(answer: MetricsAnswer): ReportParts {
  const { plan, overall, grouped, earlier } = answer;
  const before = 'reply' in earlier ? { range: earlier.range, reply: earlier.reply.value } : undefined;
  const view = metricsView(plan, { overall: overall.value, before, grouped: grouped?.value });
  return {
    title: `CDN metrics: ${titleOf(plan)}`,
    headline: metricsHeadline(view),
    facts: factsOf(view),
    charts: metricsCharts(view),
    tables: metricsTables(view),
    notes: notesOf(answer, view),
    csv: metricsCsv(view),
  };
}

function titleOf({ metrics }: MetricsPlan): string {
  const names = metrics.map(shortName);
  return names.length <= 6
    ? names.join(', ')
    : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
}

function factsOf({ plan, times }: MetricsView): Fact[] {
  const { from, to, step, by, filters } = plan;
  const points = countPoints(from, to, step).toLocaleString('en-US');
  return [
    { label: 'Range', value: `${times.full(from)} to ${times.full(to)} (${spanText(to - from)})` },
    { label: 'Intervals', value: `${points} of ${granularityWords(step)}` },
    ...(by.length === 0 ? [] : [{ label: 'By', value: by.join(', ') }]),
    ...(filters.length === 0 ? [] : [{ label: 'Only', value: filters.map(filterText).join('; ') }]),
  ];
}

/** Zeros are what the service sends for a resource that there is not, too. */
function nothingFound({ plan: { filters }, overall }: MetricsView): readonly string[] {
  const all = [...overall.summaries.values()];
  if (filters.length === 0 || all.length === 0 || all.some(({ highest }) => highest.value !== 0)) return [];
  return [`Nothing was counted where ${filters.map(filterText).join(' and ')}: check that it exists.`];
}

function shortText({ length }: ShortInterval, { measures }: MetricsView): string {
  const drawn = measures.some(({ unit }) => addsUp(unit)) ? ', and not in the charts of counts' : '';
  return `The last interval is shorter than the others: ${spanText(length)}${drawn}.`;
}

function notesOf({ overall, grouped, earlier, unknownZone }: MetricsAnswer, view: MetricsView): string[] {
  const { plan, measures } = view;
  const short = shortLast(plan);
  const averaged = measures.filter(
    ({ metric, unit }) => unit !== undefined && !addsUp(unit) && view.overall.summaries.has(metric),
  );
  const unasked = measures.filter(({ metric }) => !plan.metrics.includes(metric));
  return [
    ...('problem' in earlier ? [earlier.problem] : []),
    ...nothingFound(view),
    ...(plan.to > plan.now ? ['The range ends in the future: what has not happened counts as nothing.'] : []),
    ...(short === undefined ? [] : [shortText(short, view)]),
    ...(averaged.length === 0 ? [] : ['Speeds, ratios and rates are averaged over time, not by traffic.']),
    ...unasked.map(({ metric }) =>
      unitOf(metric) === undefined
        ? `The service also sent “${metric}”, which Bellhop does not know: shown as it came.`
        : `The service also sent ${metric}.`,
    ),
    ...(unknownZone === undefined
      ? []
      : [`Your profile's time zone, “${unknownZone}”, is not known here: times are in UTC.`]),
    ...replyNotes(overall),
    ...(grouped ? replyNotes(grouped) : []),
  ];
}
