import {
  metricsQueryIssues,
  metricsQueryShape,
  unknownValue,
} from '../../../src/areas/cdn/client/metrics.ts';
import { metricNames } from '../../../src/areas/cdn/client/metrics-names.ts';
import { raise } from '../../../src/service/schemas/fields.ts';

/** The service accepts this body of `queryMetrics`, with known metric names only. */
export const knownMetricsQuery = metricsQueryShape.check((context) => {
  const { metrics } = context.value;
  raise(context, [
    ...metrics.flatMap((name, index) => unknownValue(['metrics', index], name, metricNames)),
    ...metricsQueryIssues(context.value),
  ]);
});
