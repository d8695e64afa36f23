import { z } from 'zod';

import type { ServiceClient } from '../../api/client.ts';
import { everything, type PurgeRequest } from '../../api/schemas/cdn/purge.ts';
import { BellhopError } from '../../core/model/errors.ts';
import { operation, type RunContext } from '../../core/model/operation.ts';
import type { Fact } from '../../core/model/report.ts';
import type { CdnResourceTarget } from '../../core/model/target.ts';
import { replyNotes } from '../report-text.ts';
import { resourceNumber } from './metrics/metric-filter.ts';
import { hasFailed, isUnderWay } from './purges.ts';
import { isPattern, purgePath, purgeProblem } from './purge-paths.ts';

const input = z
  .strictObject({
    resource: resourceNumber
      .describe('Number of the CDN resource.')
      .meta({ positional: true, placeholder: '1001' }),
    path: z
      .array(purgePath)
      .default([])
      .describe('Paths, as /css/site.css, or patterns, as /images/*: “*” is any characters.')
      .meta({ positional: true, itemsMayContainCommas: true, placeholder: '/images/*' }),
    all: z
      .boolean()
      .default(false)
      .describe('Everything of the resource. Needs an approval, unless a rule that names it says otherwise.'),
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
  preview: (values) => [
    { label: 'Sends', value: `POST /cdn/resources/${values.resource}/purge` },
    whatFact(values),
  ],
  run: (values, context: Context) =>
    context.service.purgeResource(values.resource, requestOf(values), context),
  report(reply, { input: values, target }) {
    const { purge_id: id } = reply.value;
    const next =
      id === undefined ? 'It named no id, so it is not followed: see /cdn purges.' : `See /cdn purges ${id}.`;
    return {
      title: `Accepted: ${target.name} is being purged`,
      tone: 'good',
      facts: [...(id === undefined ? [] : [{ label: 'Purge', value: String(id) }]), whatFact(values)],
      notes: [`The service purges in the background. ${next}`, ...replyNotes(reply)],
    };
  },
  tasks: {
    extension: 'cdn-purge',
    started: ({ value: { purge_id: id } }) => (id === undefined ? [] : [String(id)]),
    async read(id, { service, ...call }: Context) {
      const { value } = await service.listPurges(call);
      const found = value.find((one) => String(one.purge_id) === id);
      if (!found) throw new BellhopError('unknown-target', `The service does not list purge ${id}.`);
      const state = hasFailed(found) ? 'failed' : isUnderWay(found) ? 'open' : 'finished';
      return { id, type: 'purge', state, stateName: found.status ?? 'not given' };
    },
    finished: ({ name }) => `${name} is purged`,
  },
});

type Context = RunContext<CdnResourceTarget, ServiceClient>;

const requestOf = ({ path, all }: Input): PurgeRequest => {
  if (all) return { paths: [everything] };
  return path.some(isPattern) ? { paths: path } : { urls: path };
};

const whatFact = ({ path, all }: Input): Fact =>
  all
    ? { label: 'Purges', value: 'everything: the origin is asked for each file anew' }
    : { label: path.some(isPattern) ? 'Purges what matches' : 'Purges', value: path.join('\n') };
