import type { ServiceClient } from '../../service/client.ts';
import {
  type PurgeRead,
  type PurgeRequest,
  mostPurgedPatterns,
  mostPurgedUrls,
} from '../../service/schemas/cdn/purge.ts';
import { BellhopError } from '../../model/errors.ts';
import { type RunContext, operation, z } from '../../bellhop/bellhop.ts';
import type { Fact } from '../../model/report.ts';
import type { CdnResourceTarget } from '../../model/target.ts';
import { resourceNumber } from './metrics/metric-filter.ts';
import { hasFailed, isDone } from './purges.ts';
import { abridged } from '../../command/grammar/words.ts';

const longest = 500;

/** What a path and its query string may be written with: everything else has to be percent-encoded. */
const written = /^\/[\w\-.~!$&'()*+,;=:@%/?[\]]*$/u;

/** A path to purge, as typed: checked, and never rewritten. `*` makes it a pattern. */
const purgePath = z
  .string()
  .max(longest, `is longer than ${longest} characters`)
  .check(({ value, issues }) => {
    const problem = problemOf(value);
    if (problem !== undefined) issues.push({ code: 'custom', message: problem, input: value });
  });

function problemOf(path: string): string | undefined {
  const shown = `“${abridged(path)}”`;
  if (!path.startsWith('/')) return `${shown} does not begin with “/”: give the path alone, without a host`;
  if (!written.test(path))
    return `${shown} holds a character that a path writes as %…, such as %20 for a space`;
  const plain = decoded(path);
  if (plain === undefined) return `${shown} has a “%” without two digits that make a character`;
  if (plain.split(/[/\\?]/u).some((part) => part === '.' || part === '..'))
    return `${shown} holds “.” or “..” as a part: give the path that it leads to`;
  if (/\*./u.test(path)) return `${shown} has a “*” before its end: only the last character can be one`;
  if (isPattern(path) && path.includes('?'))
    return `${shown} is a pattern with a query string, which the service ignores: it would purge more`;
  if (isPattern(path) && !/[\p{L}\p{N}]/u.test(plain)) return `${shown} is everything: give --all instead`;
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

/** What is wrong with what is to be purged as a whole; undefined where nothing is. */
function purgeProblem({ path, all }: Purged): string | undefined {
  const patterns = path.filter(isPattern).length;
  if (all) return path.length === 0 ? undefined : 'does not go with --all: give one or the other';
  if (path.length === 0) return 'name a path such as /css/site.css or /images/*, or give --all';
  if (patterns > 0 && patterns < path.length)
    return 'are exact or have a “*”, not both: purge the exact ones and the patterns one after the other';
  if (patterns > mostPurgedPatterns) return `are at most ${mostPurgedPatterns} with a “*” at once`;
  return path.length > mostPurgedUrls ? `are at most ${mostPurgedUrls} at once` : undefined;
}

const input = z
  .strictObject({
    resource: resourceNumber
      .describe('Number of the CDN resource.')
      .meta({ positional: true, placeholder: '1001' }),
    path: z
      .array(purgePath)
      .default([])
      .describe(
        'Paths such as /css/site.css, or patterns such as /images/*. A “*” at the end matches anything.',
      )
      .meta({ positional: true, itemsMayContainCommas: true, placeholder: '/images/*' }),
    all: z
      .boolean()
      .default(false)
      .describe('Purge everything. Needs an approval, unless a rule that names --all says otherwise.'),
  })
  .check(({ value, issues }) => {
    const problem = purgeProblem(value);
    if (problem !== undefined)
      issues.push({ code: 'custom', path: ['path'], message: problem, input: value });
  });

type Input = z.output<typeof input>;

/** `POST /cdn/resources/{resource}/purge`. */
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
      : `Deletes ${path.length === 1 ? 'this path' : `these ${path.length} paths`} from the cache of ${name}.`,
  preview: (values) => [
    { label: 'Sends', value: `POST /cdn/resources/${values.resource}/purge` },
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
      title: `Accepted: ${target.name} is being purged`,
      tone: 'good',
      facts: [whatFact(values)],
      notes: ['The service purges in the background. /cdn purges shows the progress.'],
    };
  },
  tasks: {
    extension: 'cdn-purge',
    started: ({ since }) => [new Date(since).toISOString()],
    async read(since, { service, ...call }: Context, values) {
      const { value } = await service.listPurges({ from: Date.parse(since) }, call);
      const found = value
        .filter((one) => asksFor(one, values) && Date.parse(one.created ?? '') >= Date.parse(since))
        .toSorted((one, other) => (other.purge_id ?? 0) - (one.purge_id ?? 0))[0];
      if (!found) throw new BellhopError('unknown-target', 'The service does not list the purge yet.');
      const state = hasFailed(found) ? 'failed' : isDone(found) ? 'finished' : 'open';
      return {
        id: String(found.purge_id ?? 'without a number'),
        type: 'purge',
        state,
        stateName: found.status ?? 'not given',
      };
    },
    finished: ({ name }) => `${name} is purged`,
  },
});

/** The answer names no purge: it is found in the list by what was asked for, no longer ago than a call can take. In milliseconds. */
const longestCallMs = 60_000;

type Context = RunContext<CdnResourceTarget, ServiceClient>;

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

const whatFact = ({ path, all }: Input): Fact =>
  all
    ? { label: 'Purges', value: 'everything; all files are refetched from the origin' }
    : { label: path.some(isPattern) ? 'Purges matching' : 'Purges', value: path.join('\n') };
