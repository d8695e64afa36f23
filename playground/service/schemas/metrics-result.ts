import { z } from 'zod';
import { metricNames, metricUnits, type SpeedBucket } from '../../../src/areas/cdn/client/metrics-names.ts';
import { integer } from '../../../src/service/schemas/fields.ts';

const share = () => z.string().regex(/^\d+(\.\d+)?$/, 'expected a decimal string');

/** Maps speed buckets in KB/s to shares, which are decimal strings that add up to 1. */
const speedShares = z.strictObject({
  '0_250k': share().describe('up to 250k'),
  '250k_500k': share().describe('250k to 500k'),
  '500k_750k': share().describe('500k to 750k'),
  '750k_1M': share().describe('750k to 1M'),
  '1M_2M': share().describe('1M to 2M'),
  '2M_3M': share().describe('2M to 3M'),
  '3M_4M': share().describe('3M to 4M'),
  '4M+': share().describe('4M and faster'),
}) satisfies z.ZodType<Record<SpeedBucket, string>>;

const metricValue = z.union([z.number(), speedShares]);

const metricField = (name: string) => {
  const unit = metricUnits[name];
  if (unit === 'shares') return speedShares.optional().describe('shares by speed bucket, in KB/s');
  const value = unit === 'requests' || unit === 'bytes' ? z.int() : z.number();
  return value.optional().describe(`in ${String(unit)}`);
};

const metricsItem = z
  .object({
    ...Object.fromEntries(metricNames.map((name) => [name, metricField(name)])),
    timestamp: integer('start of the interval, Unix seconds'),
    resource: z.int().optional().describe('CDN resource, if the metrics are grouped by resource'),
    cname: z.string().optional().describe('host name, if the metrics are grouped by cname'),
    region: z.string().optional().describe('region of the visitors, if the metrics are grouped by region'),
    isp: z
      .string()
      .optional()
      .describe('internet provider of the visitors, if the metrics are grouped by isp'),
  })
  .catchall(metricValue);

/** The reply to `queryMetrics` has items ascending by timestamp, one for every interval (and group). */
export const metricsResult = z.strictObject({ data: z.array(metricsItem).describe('the items') });

export type SpeedShares = z.output<typeof speedShares>;
export type MetricsItem = z.output<typeof metricsItem>;
