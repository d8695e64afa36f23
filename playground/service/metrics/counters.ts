import { speedBuckets } from '../../../src/areas/cdn/client/metrics-names.ts';
import type { Audience } from './audience.ts';

/** How fast a counter grows for one audience, per second of mean traffic, of incident errors and of evening. */
interface Growth {
  readonly visits: number;
  readonly incidents: number;
  readonly evenings: number;
}

/** A running count of something that an audience causes. */
export type Counter = (audience: Audience) => Growth;

type Side = 'edge' | 'origin';

/** Answers by status for every 2xx answer; `other` are the remaining ones of the class. */
const mix = {
  '1xx': { other: 0.0001 },
  '2xx': { '200': 0.93, '204': 0.03, '206': 0.035, other: 0.005 },
  '3xx': { '301': 0.006, '302': 0.004, '304': 0.09, other: 0.001 },
  '4xx': { '400': 0.001, '401': 8e-4, '403': 0.002, '404': 0.012, '416': 2e-4, '429': 6e-4, other: 4e-4 },
  '5xx': { '500': 2e-4, '501': 4e-6, '502': 1.5e-4, '503': 1e-4, '504': 1.2e-4, '505': 2e-6, other: 1e-5 },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

/** The statuses of an incident. */
const incidentMix: Readonly<Record<string, number>> = { '503': 0.6, '502': 0.25, '504': 0.12, '500': 0.03 };

/** The share of a class's answers that comes from the origin. */
const originShare: Readonly<Record<string, number>> = { '1xx': 1, '4xx': 0.5, '5xx': 0.95 };

const perSecond = ({ site, share }: Audience): number => (site.daily / 86_400) * share;

const statusCounter =
  (side: Side, statusClass: string, status: string, portion: number): Counter =>
  (audience) => {
    const missed = 1 - audience.site.hitRatio;
    const factor = perSecond(audience) * (side === 'edge' ? 1 : (originShare[statusClass] ?? missed));
    const incident = statusClass === '5xx' ? (incidentMix[status] ?? 0) : 0;
    return { visits: factor * portion, incidents: factor * incident * audience.site.fragility, evenings: 0 };
  };

const countersOfClass = (side: Side, statusClass: keyof typeof mix): Record<string, Counter> =>
  Object.fromEntries(
    Object.entries(mix[statusClass]).map(
      ([status, portion]) => [status, statusCounter(side, statusClass, status, portion)] as const,
    ),
  );

const allOf = (side: Side): Counter[] => {
  const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
  return classes.flatMap((statusClass) => Object.values(countersOfClass(side, statusClass)));
};

/** The counters that a status (`503`), a class (`5xx`) or everything (`all`) adds up. */
export const statusCounters = (side: Side, status: string): readonly Counter[] => {
  if (status === 'all') return allOf(side);
  const statusClass = (['1xx', '2xx', '3xx', '4xx', '5xx'] as const).find((each) => each[0] === status[0]);
  if (!statusClass) return [];
  const counters = countersOfClass(side, statusClass);
  const single = counters[status];
  if (status === statusClass) return Object.values(counters);
  return single ? [single] : [];
};

/** Bytes sent to visitors. */
export const sentBytes: Counter = (audience) => ({
  visits: perSecond(audience) * audience.site.bytes,
  incidents: 0,
  evenings: 0,
});

/** Bytes sent to visitors that came from the cache. */
export const cachedBytes: Counter = (audience) => ({
  visits: perSecond(audience) * audience.site.bytes * audience.site.hitRatio,
  incidents: 0,
  evenings: 0,
});

/** Shares of the speed buckets from slow to fast, and how the evening moves them. */
const speeds = {
  edge: [0.01, 0.02, 0.03, 0.05, 0.13, 0.18, 0.22, 0.36],
  origin: [0.004, 0.006, 0.01, 0.02, 0.06, 0.12, 0.2, 0.58],
} as const satisfies Record<Side, readonly number[]>;
const eveningPull = [0.2, 0.18, 0.15, 0.1, 0.05, 0, -0.05, -0.12] as const;

/** Slower networks move their share of the fastest bucket to the third. */
const slowness: Readonly<Record<string, number>> = {
  'Eastern Europe': 0.04,
  'Asia Pacific': 0.06,
  'Latin America': 0.14,
};

/** The counters of the speed buckets, from slow to fast. */
export const speedCounters = (side: Side): readonly Counter[] =>
  speedBuckets.map((_bucket, index): Counter => (audience) => {
    const moved = (slowness[audience.region] ?? 0) * (index === 2 ? 1 : index === 7 ? -1 : 0);
    const portion = (speeds[side][index] ?? 0) + moved;
    const rate = perSecond(audience) * portion;
    return { visits: rate, incidents: 0, evenings: rate * (eveningPull[index] ?? 0) };
  });
