import { z } from 'zod';
import { fieldIssue, integer, raise, text, utcTimestamp } from './fields.ts';
import { lenient, type ReadBy } from './lenient.ts';

/** The longest range of `measureInstance`, in hours. */
const mostHours = 720;

/** The body of `measureInstance`: how far back from now. */
export const instanceMetricsQuery = z
  .strictObject({
    time_interval: z.int().min(1).describe('how many of these, up to now; at most 720 hours'),
    time_unit: z.enum(['hour', 'day']).describe('hour or day'),
  })
  .check((context) => {
    const { time_interval: count, time_unit: unit } = context.value;
    if (count * (unit === 'day' ? 24 : 1) > mostHours)
      raise(context, [
        fieldIssue(['time_interval'], `is at most ${mostHours} hours or ${mostHours / 24} days`),
      ]);
  });

export type InstanceMetricsQuery = z.output<typeof instanceMetricsQuery>;

const rate = (description: string) => z.number().nullable().describe(`${description}; null: not measured`);

const diskMetrics = z.strictObject({
  disk_name: text('name of the disk in the instance'),
  disk_Bps_read: rate('bytes read a second'),
  disk_Bps_write: rate('bytes written a second'),
  disk_iops_read: rate('read operations a second'),
  disk_iops_write: rate('write operations a second'),
});

/** The reply of `measureInstance`: ascending by time. */
export const instanceMetrics = z.strictObject({
  count: integer('number of measurements'),
  results: z
    .array(
      z.strictObject({
        time: utcTimestamp('when it was measured'),
        cpu_util: rate('use of all processors together in percent'),
        memory_util: rate('use of the memory in percent'),
        network_Bps_ingress: rate('bytes received a second'),
        network_Bps_egress: rate('bytes sent a second'),
        network_pps_ingress: rate('packets received a second'),
        network_pps_egress: rate('packets sent a second'),
        disks: z.array(diskMetrics).nullable().describe('each attached disk; null: not measured'),
      }),
    )
    .describe('the measurements'),
});

export type InstanceMetrics = z.output<typeof instanceMetrics>;

/** The same, read leniently. */
export const instanceMetricsRead = lenient(instanceMetrics);

export type InstanceMetricsRead = ReadBy<typeof instanceMetricsRead>;
