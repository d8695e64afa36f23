import { type CdnTarget, operation, type ReadContext, readZone } from '../../bellhop/bellhop.ts';
import type { CdnClient } from './client/calls.ts';
import type { MetricsQuery } from './client/metrics.ts';
import { metricsInput } from './metrics/input.ts';
import { type MetricsPlan, planMetrics, queryFor } from './metrics/plan.ts';
import { metricsReport } from './metrics/report.ts';
import { type Extra, hostKeys } from './metrics/view.ts';
import { rangeBefore } from './metrics/times.ts';

type Context = ReadContext<CdnTarget, CdnClient>;

/** In milliseconds. An answer waits this long for optional parts. */
const patienceMs = 5_000;

export const metrics = operation({
  name: 'cdn.metrics',
  summary: 'Show delivery metrics of the CDN.',
  risk: 'read',
  input: metricsInput,
  examples: [
    '/cdn metrics 5xx',
    '/cdn metrics 5xx --last 2h --by cname',
    '/cdn metrics edge_status_2xx edge_status_5xx --from 2026-11-01 --to 2026-11-07 --every 1d --by cname --resource 1001',
    '/cdn metrics speed --from yesterday --to today --by region --where "cname in www.shop.example,img.shop.example"',
  ],
  async run(input, context: Context) {
    const { now, person, service } = context;
    const plan = planMetrics(input, now, person.timeZone);
    const [overall, grouped, earlier, hosts] = await Promise.all([
      service.queryMetrics(queryFor(plan, plan, []), context),
      plan.by.length === 0 ? undefined : service.queryMetrics(queryFor(plan, plan, plan.by), context),
      earlierOf(plan, context),
      plan.by.length > 0 || plan.total === undefined ? undefined : hostsOf(plan, context),
    ]);
    const unknownZone = readZone(person.timeZone) === undefined ? person.timeZone : undefined;
    return { plan, overall, grouped, earlier, hosts, unknownZone };
  },
  report: metricsReport,
});

async function earlierOf(plan: MetricsPlan, context: Context): Promise<Extra> {
  const missing = 'No comparison with the previous range';
  if (plan.to > context.now) return { problem: `${missing}, because this one has not ended.` };
  return await queryExtra(queryFor(plan, rangeBefore(plan), []), missing, context);
}

const hostsOf = (plan: MetricsPlan, context: Context): Promise<Extra> =>
  queryExtra(queryFor(plan, plan, hostKeys), 'Outliers among hosts could not be determined', context);

const queryExtra = (
  query: MetricsQuery,
  missing: string,
  { service, correlationId }: Context,
): Promise<Extra> =>
  service
    .queryMetrics(query, { correlationId, signal: AbortSignal.timeout(patienceMs) })
    .catch((error: unknown) => ({
      problem: `${missing}: ${error instanceof Error ? error.message : 'no answer'}`,
    }));
