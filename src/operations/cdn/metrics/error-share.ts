import { shortName } from './metric-name.ts';
import { statusOf, type Measure } from './metrics-view.ts';
import { numberOf, type Reading } from './summary.ts';

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
export function errorShareOf(measures: readonly Measure[]): ErrorShare | undefined {
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
