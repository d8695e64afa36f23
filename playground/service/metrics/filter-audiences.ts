import type { MetricsQuery } from '../../../src/areas/cdn/client/metrics.ts';
import type { FilterField } from '../../../src/areas/cdn/client/metrics-names.ts';
import { type Audience, audiences } from './audience.ts';

type Filter = NonNullable<MetricsQuery['filter_by']>[number];
type Value = Filter['values'][number];
type Test = (actual: Value, wanted: Value) => boolean;

const equals: Test = (actual, wanted) => String(actual) === String(wanted);
const contains: Test = (actual, wanted) => String(actual).includes(String(wanted));

/** Compares numbers as numbers, and anything else as text. */
const order = (actual: Value, wanted: Value): number => {
  const difference = Number(actual) - Number(wanted);
  if (!Number.isNaN(difference)) return difference;
  return String(actual) < String(wanted) ? -1 : Number(String(actual) > String(wanted));
};

const tests: Readonly<Record<string, { test: Test; negated?: true }>> = {
  in: { test: equals },
  eq: { test: equals },
  not_in: { test: equals, negated: true },
  ne: { test: equals, negated: true },
  like: { test: contains },
  not_like: { test: contains, negated: true },
  gt: { test: (actual, wanted) => order(actual, wanted) > 0 },
  gte: { test: (actual, wanted) => order(actual, wanted) >= 0 },
  lt: { test: (actual, wanted) => order(actual, wanted) < 0 },
  lte: { test: (actual, wanted) => order(actual, wanted) <= 0 },
};

/** The value of a field of an audience. */
export const valueOf = (audience: Audience, field: string): Value => {
  const values: Readonly<Record<FilterField, Value>> = audience;
  return Object.entries(values).find(([name]) => name === field)?.[1] ?? '';
};

const passes = (audience: Audience, { field, op, values }: Filter): boolean => {
  const chosen = tests[op];
  if (!chosen) return false;
  const matches = values.some((wanted) => chosen.test(valueOf(audience, field), wanted));
  return matches !== (chosen.negated ?? false);
};

/** The audiences that pass every filter. A filter with several values passes if one of them does. */
export const filterAudiences = (filters: readonly Filter[]): Audience[] =>
  audiences.filter((audience) => filters.every((filter) => passes(audience, filter)));
