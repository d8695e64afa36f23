import {
  type CdnTarget,
  guessOf,
  itemCount,
  numbers,
  operation,
  refused,
  type ReportParts,
  type RunContext,
  tableOf,
  texts,
  z,
} from '../../bellhop/bellhop.ts';
import { type CdnClient, type ServiceReply, replyNotes } from './client/calls.ts';
import { type CapacityListRead, capacityUnit } from './client/capacity.ts';

interface Country {
  readonly code: string;
  readonly name: string;
  /** Undefined if the service gives no capacity. */
  readonly capacity: number | undefined;
}

export const capacity = operation({
  name: 'cdn.capacity',
  summary: 'Show the network capacity of the CDN, by country.',
  risk: 'read',
  input: z.strictObject({
    country: z
      .array(z.string().trim().min(1).max(60, 'is too long: a country has at most 60 characters'))
      .max(50, 'takes at most 50 countries')
      .default([])
      .describe('Two-letter codes or names. Default: all.')
      .meta({ positional: true, placeholder: 'DE' }),
  }),
  examples: ['/cdn capacity', '/cdn capacity DE FR "United States"'],
  async run({ country }, context: RunContext<CdnTarget, CdnClient>) {
    const reply = await context.service.listCapacity(context);
    return { reply, countries: chosen(sorted(reply), country) };
  },
  report({ reply, countries }, { input }) {
    const total = countries.reduce((sum, { capacity: each }) => sum + (each ?? 0), 0);
    const many = itemCount(countries.length, 'country', 'countries');
    return {
      title: input.country.length === 0 ? 'CDN capacity' : `CDN capacity of ${many}`,
      headline:
        countries.length === 0
          ? 'The service listed no countries. Try again later.'
          : `${rounded(total)} ${capacityUnit} in ${many}`,
      ...(countries.length === 0 ? {} : listed(countries)),
      notes: replyNotes(reply),
    };
  },
});

function listed(countries: readonly Country[]): Pick<ReportParts, 'charts' | 'tables' | 'csv'> {
  const top = countries.slice(0, 15);
  return {
    charts: [
      {
        kind: 'bar',
        title: top.length < countries.length ? `The ${top.length} largest` : 'By country',
        unit: capacityUnit,
        labels: top.map(({ name }) => name),
        series: [{ name: 'Capacity', values: top.map((each) => each.capacity ?? null) }],
      },
    ],
    tables: tableOf(
      `Capacity in ${capacityUnit}, largest first`,
      [...texts('Country', 'Code'), ...numbers(capacityUnit)],
      countries.map((each) => [each.name, each.code, each.capacity ?? 'not given']),
    ),
    csv: {
      fileName: 'cdn-capacity.csv',
      columns: ['country_code', 'country', 'capacity_gbit_s'],
      rows: countries.map((each) => [each.code, each.name, each.capacity ?? '']),
    },
  };
}

const sorted = ({ value }: ServiceReply<CapacityListRead>): readonly Country[] =>
  value
    .map((entry) => ({
      code: entry.country_code ?? '?',
      name: entry.country ?? entry.country_code ?? '?',
      capacity: entry.capacity,
    }))
    .toSorted(
      (one, other) => (other.capacity ?? -1) - (one.capacity ?? -1) || one.name.localeCompare(other.name),
    );

/** @throws refused for an unknown country, with a suggestion */
function chosen(countries: readonly Country[], wanted: readonly string[]): readonly Country[] {
  if (wanted.length === 0) return countries;
  const found = new Set(wanted.flatMap((typed) => named(countries, typed)));
  return countries.filter((each) => found.has(each));
}

/** Names are compared, too, because not every country has a code. */
function named(countries: readonly Country[], typed: string): readonly Country[] {
  const same = (text: string) => text.toLowerCase() === typed.toLowerCase();
  const found = countries.filter(({ code, name }) => same(code) || same(name));
  if (found.length > 0) return found;
  const known = countries.flatMap(({ code, name }) => (typed.length > 2 ? [name] : [code]));
  const [guess] = guessOf(typed, known).words;
  const hint = guess === undefined ? '/cdn capacity lists them all.' : `Did you mean “${guess}”?`;
  throw refused(`The CDN does not list the country “${typed}”. ${hint}`);
}

const rounded = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
