import { z } from '../../../bellhop/bellhop.ts';

import type { MetricsQuery } from '../../../service/schemas/cdn/metrics.ts';
import { filterFields, filterOperators } from '../../../service/schemas/cdn/metrics-names.ts';
import { abridged, readAs, splitItems } from '../../../text/words.ts';
import { readHost } from '../../../text/host.ts';
import { didYouMean } from '../../../text/nearest.ts';

export type MetricFilter = NonNullable<MetricsQuery['filter_by']>[number];

const form =
  /^(?:(?<field>\S+)\s+(?<op>[\w-]\S*)\s+|(?<named>\w+)\s*(?<sign>!=|<=|>=|=|<|>)\s*)(?<values>\S[^]*)$/u;

const signs = new Map([
  ['=', 'eq'],
  ['!=', 'ne'],
  ['<', 'lt'],
  ['<=', 'lte'],
  ['>', 'gt'],
  ['>=', 'gte'],
]);

/** `field op value[,value]` as typed; a comma after a backslash belongs to its value. */
export const typedFilter = z
  .string()
  .trim()
  .max(1000, 'is too long')
  .transform((typed, context): MetricFilter => {
    const read = readFilter(typed);
    if (typeof read !== 'string') return read;
    context.addIssue({ code: 'custom', message: read });
    return z.NEVER;
  });

/** The filter, or the problem with it. */
function readFilter(typed: string): MetricFilter | string {
  const { named, sign = '', values = '', ...worded } = form.exec(typed)?.groups ?? {};
  const { field = named ?? '', op = signs.get(sign) ?? '' } = worded;
  const key = field.toLowerCase().replace(/^hosts?$/u, 'cname');
  const operator = op.toLowerCase().replaceAll('-', '_');
  if (values === '')
    return `must be "field op value", such as "cname eq www.example.com", not “${abridged(typed)}”`;
  const isKnown = filterFields.some((each) => each === key);
  if (!isKnown) return unknown('filter field', field, filterFields);
  if (!filterOperators.some((each) => each === operator))
    return unknown('filter operator', op, filterOperators);
  const items = splitItems(values);
  if (items.length === 0) return `“${abridged(typed)}” has no value`;
  if (operator.endsWith('like')) return { field: key, op: operator, values: [...items] };
  if (key === 'cname')
    return { field: key, op: operator, values: items.map((item) => readCname(item) ?? item) };
  if (key !== 'resource') return { field: key, op: operator, values: [...items] };
  const wrong = items.find((item) => !isResource(item));
  if (wrong !== undefined) return `must compare a resource with whole numbers, not “${abridged(wrong)}”`;
  return { field: key, op: operator, values: items.map(Number) };
}

function readCname(text: string): string | undefined {
  const { name, port } = readHost(text) ?? {};
  return port === undefined ? name : undefined;
}

const unknown = (what: string, typed: string, known: readonly string[]): string => {
  const guess = didYouMean(typed.toLowerCase(), known);
  return `Unknown ${what} “${abridged(typed)}”.${guess === '' ? ` Available: ${known.join(', ')}.` : guess}`;
};

const isResource = (text: string): boolean => /^\d{1,16}$/u.test(text) && Number.isSafeInteger(Number(text));

/** The number of a CDN resource, as typed. */
export const resourceNumber = z
  .string()
  .trim()
  .refine(isResource, 'must be the number of a CDN resource, such as 1001')
  .transform(Number);

/** A typed host of a CDN resource, normalized to the service's spelling. */
export const hostName = z
  .string()
  .trim()
  .max(253, 'is too long for a host')
  .transform(readAs(readCname, 'must be a host name, such as www.example.com, without scheme, port or path'));

/** `--resource 1 --resource 2` as a filter. */
export const valuesFilter = (field: string, values: readonly (string | number)[]): readonly MetricFilter[] =>
  values.length === 0 ? [] : [{ field, op: values.length === 1 ? 'eq' : 'in', values: [...values] }];

/** For people: `cname in a.example, b.example`. */
export const filterText = ({ field, op, values }: MetricFilter): string =>
  `${field} ${op.replace('_', ' ')} ${values.join(', ')}`;
