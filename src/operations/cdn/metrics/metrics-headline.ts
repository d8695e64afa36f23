import { errorShareOf, type ErrorShare } from './error-share.ts';
import { granularityWords } from './granularity.ts';
import { shortName } from './metric-name.ts';
import { addsUp, changeText, countText, percentText, valueText } from './metric-values.ts';
import { valueIn, type Measure, type Measured, type MetricsView } from './metrics-view.ts';
import { spanText } from './span-text.ts';
import { slowText } from './speed-bands.ts';
import { summarize, type Reading } from './summary.ts';

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
