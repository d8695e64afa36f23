import { metricsResult } from '../schemas/metrics-result.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { answerMetrics } from '../metrics/answer-metrics.ts';
import { knownMetricsQuery } from '../schemas/metrics-query.ts';

export const queryMetrics = endpoint({
  name: 'queryMetrics',
  method: 'post',
  path: '/cdn/advanced/v1/metrics',
  summary: 'Query delivery metrics',
  description:
    'At most 1440 points, (to − from) / granularity rounded up; with a speed metric 72, and a granularity that is a multiple of five minutes. Grouped: each item carries the group value under its key.',
  changes: false,
  body: knownMetricsQuery,
  response: metricsResult,
  run: (call, { clock }) => ({ data: answerMetrics(read(knownMetricsQuery, call.json), clock.now()) }),
});
