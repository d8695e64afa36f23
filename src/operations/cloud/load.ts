import type { InstanceMetricsQuery, InstanceMetricsRead } from '../../service/schemas/instance-metrics.ts';
import type { MetricPoint } from '../../service/metrics-reply.ts';
import { durationText } from '../../command/grammar/times.ts';
import { findInstance } from '../../command/inventory.ts';
import { operation, type ReadContext } from '../../model/operation.ts';
import type { InstanceTarget } from '../../model/target.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Chart, Csv, Table } from '../../model/report.ts';
import { countText, itemCount, replyNotes } from '../parts/report-text.ts';
import { scaled, scaleFor, valueText, type Unit } from '../parts/scale.ts';
import { numberOf, summarize, type Summary } from '../parts/summary.ts';
import { isTimeZone, type TimeRange } from '../parts/time-range.ts';
import { spanText, timeText, type TimeText } from '../parts/time-text.ts';
import { lookUpInstance } from './instance/look-up-instance.ts';
import { instanceInput } from './instance/instance.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** `POST …/instances/{project}/{region}/{id}/metrics`. */
export const load = operation({
  name: 'cloud.load',
  summary: 'Show how busy an instance is: processor, memory, network, disks.',
  risk: 'read',
  extension: 'instance-metrics',
  input: instanceInput.extend({
    last: durationText
      .refine((length) => length >= 5 * minute && length <= 30 * day, 'is from 5m to 30d')
      .prefault('1h')
      .describe('How far back from now, such as 15m, 2h, 1d12h or 7d, at most 30d.')
      .meta({ placeholder: '1h' }),
  }),
  examples: ['/cloud load web-1', '/cloud load web-1 --last 1d'],
  suggest: (field, inventory) => (field === 'instance' ? Object.keys(inventory.instances) : []),
  lookUp: lookUpInstance,
  target: (input, inventory) => findInstance(inventory, input.instance, input),
  async run({ last }, context: ReadContext<InstanceTarget, ServiceClient>) {
    const { target, service, now, person } = context;
    const reply = await service.measureInstance(target, queryFor(last), context);
    const to = Math.ceil(now / minute) * minute;
    const zone = isTimeZone(person.timeZone) ? person.timeZone : 'UTC';
    return { reply, range: { from: to - last, to }, zone };
  },
  report({ reply, range, zone }, { target }) {
    const view = loadView(reply.value, range, zone);
    const { points, measures, times, leftOut } = view;
    const title = `Load of ${target.name}`;
    const length = spanText(range.to - range.from);
    if (points.length === 0) {
      const headline = `The service has no measurements of the last ${length}: ${target.name} may be off, or new.`;
      return { title, tone: 'unsure', headline, notes: [...leftOut, ...replyNotes(reply)] };
    }
    return {
      title,
      headline: headlineOf(view),
      facts: [
        { label: 'Range', value: `${times.full(range.from)} to ${times.full(range.to)} (${length})` },
        { label: 'Measurements', value: countText(points.length) },
      ],
      charts: chartsOf(view),
      tables: measures.length === 0 ? [] : [tableOf(view)],
      notes: [...leftOut, ...replyNotes(reply)],
      csv: csvOf(reply.value),
    };
  },
});

/** Whole hours or days that reach as far back as was asked. */
const queryFor = (last: number): InstanceMetricsQuery =>
  last <= 2 * day
    ? { time_interval: Math.ceil(last / hour), time_unit: 'hour' }
    : { time_interval: Math.ceil(last / day), time_unit: 'day' };

type ChartName = 'Processor and memory' | 'Network' | 'Disks';

/** One thing that is measured, summed up over the range. */
interface Measure {
  /** `Network in`, `vda read` */
  readonly name: string;
  readonly chart: ChartName;
  readonly unit: Unit;
  readonly summary: Summary;
  /** The newest value and when it was measured, Unix seconds. */
  readonly newest: { readonly value: number; readonly at: number };
}

interface LoadView {
  /** By the name of the measure: shares from 0 to 1, and bytes a second. */
  readonly points: readonly MetricPoint[];
  readonly measures: readonly Measure[];
  readonly range: TimeRange;
  readonly times: TimeText;
  /** What of the reply is not shown, in words. */
  readonly leftOut: readonly string[];
}

const mostPoints = 2000;
const mostDisks = 6;

function loadView(value: InstanceMetricsRead, range: TimeRange, zone: string): LoadView {
  const results = value.results ?? [];
  const disks = [
    ...new Set(results.flatMap((one) => (one.disks ?? []).flatMap((disk) => disk.disk_name ?? []))),
  ];
  const shown = disks.slice(0, mostDisks);
  const dated = results.flatMap((one) => pointOf(one, shown));
  const inRange = dated
    .filter(({ timestamp }) => timestamp * 1000 >= range.from)
    .toSorted((one, other) => one.timestamp - other.timestamp);
  const points = inRange.slice(-mostPoints);
  const undated = results.length - dated.length;
  const tooMany = inRange.length - points.length;
  return {
    points,
    measures: measuresOf(points, shown, range),
    range,
    times: timeText(range, { months: 0, milliseconds: minute }, zone),
    leftOut: [
      ...(undated === 0
        ? []
        : [`${itemCount(undated, 'measurement', 'measurements')} without a time left out.`]),
      ...(tooMany === 0 ? [] : [`The ${countText(tooMany)} oldest measurements are left out.`]),
      ...(disks.length === shown.length
        ? []
        : [`${disks.length - shown.length} more disks are in the file only.`]),
    ],
  };
}

type Measurement = NonNullable<InstanceMetricsRead['results']>[number];

/** None where nobody can tell when it was. */
function pointOf(one: Measurement, disks: readonly string[]): readonly MetricPoint[] {
  const at = Date.parse(zoned(one.time ?? ''));
  if (Number.isNaN(at)) return [];
  const ofDisks = disks.flatMap((name) => {
    const disk = one.disks?.find((each) => each.disk_name === name);
    return [[`${name} read`, disk?.disk_Bps_read] as const, [`${name} write`, disk?.disk_Bps_write] as const];
  });
  return [
    {
      ...Object.fromEntries(ofDisks),
      Processor: one.cpu_util === undefined ? undefined : one.cpu_util / 100,
      Memory: one.memory_util === undefined ? undefined : one.memory_util / 100,
      'Network in': one.network_Bps_ingress,
      'Network out': one.network_Bps_egress,
      timestamp: Math.floor(at / 1000),
    },
  ];
}

/** A time that names no zone is in UTC. */
const zoned = (time: string): string => (/(?:z|[+-]\d\d:?\d\d)$/iu.test(time) ? time : `${time}Z`);

function measuresOf(
  points: readonly MetricPoint[],
  disks: readonly string[],
  { to }: TimeRange,
): readonly Measure[] {
  const lines: readonly (readonly [string, ChartName, Unit])[] = [
    ['Processor', 'Processor and memory', 'ratio'],
    ['Memory', 'Processor and memory', 'ratio'],
    ['Network in', 'Network', 'B/s'],
    ['Network out', 'Network', 'B/s'],
    ...disks.flatMap((disk) => [
      [`${disk} read`, 'Disks', 'B/s'] as const,
      [`${disk} write`, 'Disks', 'B/s'] as const,
    ]),
  ];
  return lines.flatMap(([name, chart, unit]): Measure[] => {
    const read = numberOf(name);
    const summary = summarize(points, read, { step: { months: 0, milliseconds: minute }, to: to + minute });
    const last = points.findLast((point) => read(point) !== undefined);
    const value = last && read(last);
    if (!summary || !last || value === undefined) return [];
    return [{ name, chart, unit, summary, newest: { value, at: last.timestamp } }];
  });
}

/** Older than this, the newest measurement is not what it is now. */
const freshForMs = 15 * minute;

/** What it is now, and the peak. */
function headlineOf({ measures, range, times }: LoadView): string {
  const main = measures.filter(({ chart }) => chart === 'Processor and memory');
  const lines = (main.length === 0 ? measures.slice(0, 2) : main).map(
    ({ name, unit, newest, summary }, index) => {
      const when = newest.at * 1000 < range.to - freshForMs ? times.when(newest.at * 1000) : 'now';
      const peak = `peak ${valueText(unit, summary.highest.value)} ${times.when(summary.highest.at * 1000)}`;
      return `${index === 0 ? name : name.toLowerCase()} ${valueText(unit, newest.value)} ${when}, ${peak}`;
    },
  );
  return lines.length === 0 ? 'The service sent measurements without values.' : lines.join('; ');
}

function chartsOf({ points, measures, times }: LoadView): Chart[] {
  const labels = points.map(({ timestamp }) => times.label(timestamp * 1000));
  return [...Map.groupBy(measures, ({ chart }) => chart)].flatMap(([title, lines]): Chart[] => {
    const [first] = lines;
    if (!first) return [];
    const scale = scaleFor(first.unit, Math.max(...lines.map(({ summary }) => summary.highest.value)));
    const series = lines.map(({ name }) => ({
      name,
      values: points.map(numberOf(name)).map((value) => (value === undefined ? null : scaled(value, scale))),
    }));
    return [{ kind: 'line', title, unit: scale.unit, merge: 'average', labels, series }];
  });
}

const tableOf = ({ measures, times }: LoadView): Table => ({
  caption: 'Load in numbers',
  columns: [
    { label: 'What' },
    { label: 'Newest', numeric: true },
    { label: 'Average', numeric: true },
    { label: 'Highest', numeric: true },
    { label: 'Highest at' },
  ],
  rows: measures.map(({ name, unit, newest, summary }) => [
    name,
    ...[newest.value, summary.mean, summary.highest.value].map((value) => valueText(unit, value)),
    times.moment(summary.highest.at * 1000),
  ]),
});

const columns = [
  'cpu_util',
  'memory_util',
  'network_Bps_ingress',
  'network_Bps_egress',
  'network_pps_ingress',
  'network_pps_egress',
] as const;

const diskColumns = ['disk_Bps_read', 'disk_Bps_write', 'disk_iops_read', 'disk_iops_write'] as const;

/** As the service sent it: a row a measurement, and below it one a disk. */
const csvOf = ({ results = [] }: InstanceMetricsRead): Csv => ({
  fileName: 'instance-load.csv',
  columns: ['time', ...columns, 'disk_name', ...diskColumns],
  get rows() {
    const noValues = columns.map(() => '');
    return results.flatMap((one) => {
      const own = [
        one.time ?? '',
        ...columns.map((column) => one[column] ?? ''),
        '',
        ...diskColumns.map(() => ''),
      ];
      const ofDisk = (disk: Disk) =>
        [
          one.time ?? '',
          noValues,
          disk.disk_name ?? '',
          diskColumns.map((column) => disk[column] ?? ''),
        ].flat();
      return [own, ...(one.disks ?? []).map(ofDisk)];
    });
  },
});

type Disk = NonNullable<Measurement['disks']>[number];
