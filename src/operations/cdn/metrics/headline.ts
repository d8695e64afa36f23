import { granularityWords } from './granularity.ts';
import { shortName } from './metric.ts';
import { addsUp, changeText, countText, percentText, valueText } from '../../series/scale.ts';
import { slowText } from './speed-bands.ts';
import { spanText } from '../../series/time-text.ts';
import { type Measure, type Measured, type MetricsView, statusOf, valueIn } from './view.ts';
import { type Reading, numberOf, summarize } from '../../series/summary.ts';

/** The one line that matters: how much, what share are errors, what changed, when it was worst, where most of it is. */
export function metricsHeadline(view: MetricsView): string {
  const share = errorShareOf(view.measures);
  const line = share && shareLine(view, share);
  if (line !== undefined) return line;
  const main = view.measures.find(({ metric }) => view.overall.summaries.has(metric));
  return main ? measureLine(view, main) : 'The service sent no values for this range.';
}

function shareLine(view: MetricsView, { name, of, errors, total }: ErrorShare): string | undefined {
  const [sum, all] = [sumIn(view.overall, errors), sumIn(view.overall, total)];
  if (sum === undefined || all === undefined || all === 0) return undefined;
  const before = view.before && sumIn(view.before, errors);
  const change = before === undefined ? '' : `; ${comparison(view, 'requests', sum, before)}`;
  const shareAt: Reading = (point) => {
    const [part, whole] = [errors(point), total(point)];
    return part === undefined || whole === undefined || whole === 0 ? undefined : part / whole;
  };
  const worst = summarize(view.overall.points, shareAt, view.overall.intervals)?.highest;
  return [
    `${percentText(sum / all)} of ${countText(all)} ${of} are ${name} (${countText(sum)}${change})`,
    ...(sum === 0 || !worst ? [] : [`worst ${whenOf(view, worst.at)}: ${percentText(worst.value)}`]),
    ...(sum === 0 ? [] : mostAt(view)),
  ].join('; ');
}

function measureLine(view: MetricsView, measure: Measure): string {
  const { metric, unit } = measure;
  const summary = view.overall.summaries.get(metric);
  const value = valueIn(measure, view.overall) ?? 0;
  const before = view.before && valueIn(measure, view.before);
  const how = addsUp(unit) ? '' : ' on average';
  const meaning = unit === 'shares' ? ` ${slowText}` : '';
  const change = before === undefined ? '' : `, ${comparison(view, unit, value, before)}`;
  const extreme = unit === 'ratio' ? summary?.lowest : summary?.highest;
  const isFlat = !summary || summary.lowest.value === summary.highest.value;
  return [
    `${shortName(metric)}: ${valueText(unit, value, view.scaleOf(unit))}${meaning}${how}${change}`,
    ...(extreme === undefined || isFlat
      ? []
      : [`${extremeWord(measure)} ${whenOf(view, extreme.at)}: ${atMoment(view, measure, extreme.value)}`]),
    ...(value === 0 ? [] : mostAt(view)),
  ].join('; ');
}

const sumIn = ({ points, intervals }: Measured, read: Reading): number | undefined =>
  summarize(points, read, intervals)?.sum;

const whenOf = ({ times }: MetricsView, at: number): string => times.when(at * 1000);

const atMoment = ({ plan, scaleOf }: MetricsView, { unit }: Measure, value: number): string =>
  `${valueText(unit, value, scaleOf(unit))}${addsUp(unit) ? ` in ${granularityWords(plan.step)}` : ''}`;

const extremeWord = ({ metric, unit }: Measure): string => {
  if (unit === 'ratio') return 'lowest';
  return unit === 'shares' || /_[45](?:xx|\d\d)$/u.test(metric) ? 'worst' : 'peak';
};

const named: Readonly<Record<string, string>> = { '1h': 'hour', '1d': 'day', '7d': 'week' };

function comparison({ plan }: MetricsView, unit: Measure['unit'], now: number, before: number): string {
  const length = spanText(plan.to - plan.from);
  const span = `the ${named[length] ?? length} before`;
  if (before !== 0 || unit === 'ratio' || unit === 'shares')
    return `${changeText(unit, now, before)} against ${span}`;
  return `none in ${span}${now === 0 ? ' either' : ''}`;
}

/** The group that matters most for the first measure, where there are several. */
function mostAt({ measures, groups, overall, scaleOf }: MetricsView): string[] {
  const [[measure], [first]] = [measures, groups];
  if (!measure || !first || groups.length < 2) return [];
  const value = valueIn(measure, first);
  if (value === undefined) return [];
  const total = valueIn(measure, overall) ?? 0;
  if (!addsUp(measure.unit) || total === 0)
    return [
      `${extremeWord(measure)} for ${first.name}: ${valueText(measure.unit, value, scaleOf(measure.unit))}`,
    ];
  return value === 0 ? [] : [`most for ${first.name} (${percentText(value / total)})`];
}

/** Errors as a share of answers: possible where the metrics hold both. */
export interface ErrorShare {
  /** `5xx` */
  readonly name: string;
  /** `answers`, or `answers with 2xx or 5xx` where not all classes were asked for. */
  readonly of: string;
  readonly errors: Reading;
  readonly total: Reading;
}

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** The share that these metrics allow: of the edge before the origin, of 5xx before 4xx. */
function errorShareOf(measures: readonly Measure[]): ErrorShare | undefined {
  return shareOn('edge', measures) ?? shareOn('origin', measures);
}

function shareOn(side: 'edge' | 'origin', measures: readonly Measure[]): ErrorShare | undefined {
  const counted = measures.flatMap(({ metric }) => {
    const status = statusOf(metric);
    return status?.side === side ? [{ metric, status: status.status }] : [];
  });
  const error = counted.find(({ status }) => /^[45]/u.test(status));
  if (!error) return undefined;
  const name = shortName(error.metric);
  const errors = numberOf(error.metric);
  const all = 'edge_requests_total';
  if (side === 'edge' && measures.some(({ metric }) => metric === all)) {
    return { name, of: 'requests', errors, total: numberOf(all) };
  }
  const parts = counted.filter(({ status }) => classes.some((each) => each === status));
  const asked = parts.map(({ status }) => status).toSorted();
  if (!parts.includes(error) || !asked.some((each) => /^[123]/u.test(each))) return undefined;
  const everything = classes.slice(1).every((each) => asked.includes(each));
  return {
    name,
    of: everything ? 'answers' : `answers with ${asked.join(' or ')}`,
    errors,
    total: sumOf(parts.map(({ metric }) => numberOf(metric))),
  };
}

/** Undefined at a point where one of them is missing: a part is no whole. */
const sumOf =
  (readings: readonly Reading[]): Reading =>
  (point) => {
    let total = 0;
    for (const read of readings) {
      const value = read(point);
      if (value === undefined) return undefined;
      total += value;
    }
    return total;
  };
