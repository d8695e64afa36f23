import {
  abridged,
  type CdnResourceTarget,
  type Fact,
  itemCount,
  operation,
  refused,
  type RunContext,
  writtenMoment,
  z,
} from '../../bellhop/bellhop.ts';
import type { CdnClient } from './client/calls.ts';
import { type PurgeRead, type PurgeRequest, maxPurgedPatterns, maxPurgedUrls } from './client/purge.ts';
import { resourceNumber } from './metrics/input.ts';
import { purgeState } from './purges.ts';

const longest = 500;

/** A character that must be percent-encoded in a path and query string. */
const unsafe = /[^\w\-.~!$&'()*+,;=:@%/?[\]]/u;

/** A path to purge is checked, but never rewritten. A `*` makes the path a pattern. */
const purgePath = z
  .string()
  .max(longest, `is longer than ${longest} characters`)
  .refine((path) => problemOf(path) === undefined, { error: ({ input: path }) => problemOf(String(path)) });

function problemOf(path: string): string | undefined {
  const shown = `“${abridged(path)}”`;
  if (!path.startsWith('/')) return `${shown} must start with “/”. Enter the path without a host`;
  const [other] = unsafe.exec(path) ?? [];
  if (other !== undefined)
    return `${shown} contains “${other}”. Write it as ${encodeURIComponent(other.toWellFormed())}`;
  const plain = decoded(path);
  if (plain === undefined) return `${shown} has an invalid percent-encoding`;
  if (plain.split(/[/\\?]/u).some((part) => part === '.' || part === '..'))
    return `${shown} has “.” or “..” as a segment. Enter the resolved path`;
  if (/\*./u.test(path)) return `${shown} can have “*” only as its last character`;
  if (isPattern(path) && path.includes('?'))
    return `${shown} is a pattern with a query string. The service ignores the query string and would purge more`;
  if (isPattern(path) && !/[\p{L}\p{N}]/u.test(plain))
    return `${shown} matches everything. Use --all instead`;
  return undefined;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const isPattern = (path: string): boolean => path.endsWith('*');

interface Purged {
  readonly path: readonly string[];
  readonly all: boolean;
}

function purgeProblem({ path, all }: Purged): string | undefined {
  const patterns = path.filter(isPattern).length;
  if (all) return path.length === 0 ? undefined : "can't be combined with --all";
  if (path.length === 0) return 'Enter a path such as /css/site.css or /images/*, or use --all.';
  if (patterns > 0 && patterns < path.length) return 'mixes exact paths and patterns. Purge them separately';
  return patterns > maxPurgedPatterns ? `takes at most ${maxPurgedPatterns} patterns at once` : undefined;
}

const input = z
  .strictObject({
    resource: resourceNumber
      .describe('Number of the CDN resource.')
      .meta({ positional: true, placeholder: '1001' }),
    path: z
      .array(purgePath)
      .max(maxPurgedUrls, `takes at most ${maxPurgedUrls} paths at once`)
      .default([])
      .describe(
        'Paths such as /css/site.css, or patterns such as /images/*. A “*” at the end matches anything.',
      )
      .meta({ positional: true, itemsMayContainCommas: true, placeholder: '/images/*' }),
    all: z
      .boolean()
      .default(false)
      .describe('Purge everything. Someone else has to approve, unless the rule names --all.'),
  })
  .check(({ value, issues }) => {
    const problem = purgeProblem(value);
    if (problem !== undefined)
      issues.push({ code: 'custom', path: ['path'], message: problem, input: value });
  });

type Input = z.output<typeof input>;

export const purge = operation({
  name: 'cdn.purge',
  summary: 'Delete cached files from the CDN.',
  actionLabel: 'purge',
  risk: 'change',
  escalatedBy: 'all',
  extension: 'cdn-purge',
  input,
  examples: [
    '/cdn purge 1001 /css/site.css /js/app.js',
    '/cdn purge 1001 /images/*',
    '/cdn purge 1001 --all --reason "wrong prices in the cache"',
  ],
  target: ({ resource }): CdnResourceTarget => ({
    kind: 'cdn-resource',
    name: `CDN resource ${resource}`,
    resource,
    labels: {},
  }),
  effect: ({ path, all }, { name }) =>
    all
      ? `Deletes everything cached for ${name}. All files are refetched from the origin.`
      : `Deletes ${whichOf(path)} from the cache of ${name}.`,
  preview: (values) => [
    { label: 'Sends', value: `POST /cdn/resources/${values.resource}/purge`, isCall: true },
    whatFact(values),
  ],
  async run(values, context: Context) {
    const { value: serviceTime } = await context.service.purgeResource(
      values.resource,
      requestOf(values),
      context,
    );
    return { since: (serviceTime ?? context.now) - longestCallMs };
  },
  report(_, { input: values, target }) {
    return {
      title: `Accepted: ${purgedOf(values, target)} being purged`,
      tone: 'good',
      facts: [whatFact(values)],
      notes: ['The service purges in the background. /cdn purges shows the progress.'],
    };
  },
  tasks: {
    extension: 'cdn-purge',
    started: ({ since }) => [new Date(since).toISOString()],
    async read(since, { service, ...call }: Context, values) {
      const from = writtenMoment(since) ?? 0;
      const { value } = await service.listPurges({ from }, call);
      const found = value
        .filter((one) => asksFor(one, values) && (writtenMoment(one.created) ?? -1) >= from)
        .toSorted((one, other) => (other.purge_id ?? 0) - (one.purge_id ?? 0))[0];
      if (!found) throw refused('The service does not list this purge yet.');
      return {
        id: String(found.purge_id ?? 'without a number'),
        type: 'purge',
        state: purgeState(found),
        stateName: found.status ?? 'not given',
      };
    },
    finished: (target, values) => `${purgedOf(values, target, 'has', 'have')} been purged`,
  },
});

/**
 * In milliseconds. The answer has no purge id, so Bellhop finds the purge in the list by its content and by its
 * creation within the longest call.
 */
const longestCallMs = 60_000;

type Context = RunContext<CdnResourceTarget, CdnClient>;

const requestOf = ({ path, all }: Input): PurgeRequest => {
  if (all) return { paths: [] };
  return path.some(isPattern) ? { paths: path } : { urls: path };
};

/** The service may put the host before each path. */
function asksFor({ resource, purge_type: type, payload = {} }: PurgeRead, asked: Input): boolean {
  if (resource?.id !== asked.resource) return false;
  const listed = [...(payload.urls ?? []), ...(payload.paths ?? [])];
  if (asked.all) return type === 'purge_all' || listed.length === 0;
  const paths = new Set(listed.map((path) => path.replace(/^https?:\/\/[^/]*/u, '')));
  return paths.size === new Set(asked.path).size && asked.path.every((path) => paths.has(path));
}

/** For example `2 paths of CDN resource 1001 are`. */
function purgedOf({ path, all }: Input, { name }: CdnResourceTarget, one = 'is', several = 'are'): string {
  if (all) return `${name} ${one}`;
  const count = itemCount(path.length, path.some(isPattern) ? 'pattern' : 'path');
  return `${count} of ${name} ${path.length === 1 ? one : several}`;
}

function whichOf(path: Input['path']): string {
  if (path.some(isPattern))
    return `all files that match ${path.length === 1 ? 'this pattern' : `these ${path.length} patterns`}`;
  return path.length === 1 ? 'this path' : `these ${path.length} paths`;
}

const whatFact = ({ path, all }: Input): Fact =>
  all
    ? { label: 'Purges', value: 'everything' }
    : { label: path.some(isPattern) ? 'Purges matching' : 'Purges', value: path.join('\n') };
