import type { Instance } from '../../../src/service/schemas/instance.ts';
import type { InstanceMetrics, InstanceMetricsQuery } from '../../../src/service/schemas/instance-metrics.ts';
import { seededShare } from '../seed/seeded.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The finest of these that gives at most 300 measurements; hours for what is longer. */
const steps = [1, 5, 15, 60].map((minutes) => minutes * minute);
const plenty = 300;

/**
 * How busy an instance was, from `now` back; ascending by time, always the same for the same moment. What does not run is
 * not measured.
 */
export const measureInstance = (
  instance: Instance,
  { time_interval: count, time_unit: unit }: InstanceMetricsQuery,
  now: number,
): InstanceMetrics => {
  if (instance.vm_state !== 'active') return { count: 0, results: [] };
  const length = count * (unit === 'day' ? 24 * hour : hour);
  const step = steps.find((each) => length / each <= plenty) ?? hour;
  const newest = Math.floor(now / step) * step;
  const results = Array.from(
    { length: Math.floor(length / step) },
    (_, index, points = Math.floor(length / step)) =>
      measurement(instance, newest - (points - 1 - index) * step),
  );
  return { count: results.length, results };
};

const measurement = ({ id, volumes }: Instance, at: number): InstanceMetrics['results'][number] => {
  const share = (what: string): number => seededShare(`${id} ${what} ${String(at)}`);
  const busy = busyness(id, at) * (0.85 + 0.3 * share('cpu'));
  const rate = (what: string, most: number): number => Math.round(busy * most * (0.5 + share(what)));
  return {
    time: new Date(at).toISOString().replace('.000Z', 'Z'),
    cpu_util: Math.round(Math.min(100, busy * 90) * 10) / 10,
    memory_util: Math.round((35 + 30 * seededShare(`${id} memory`) + 4 * busy) * 10) / 10,
    network_Bps_ingress: rate('in', 4_000_000),
    network_Bps_egress: rate('out', 12_000_000),
    network_pps_ingress: rate('packets in', 5000),
    network_pps_egress: rate('packets out', 9000),
    disks: volumes.map((_, index) => ({
      disk_name: `vd${String.fromCodePoint(97 + index)}`,
      disk_Bps_read: rate(`read ${String(index)}`, 800_000),
      disk_Bps_write: rate(`write ${String(index)}`, 2_000_000),
      disk_iops_read: rate(`reads ${String(index)}`, 60),
      disk_iops_write: rate(`writes ${String(index)}`, 150),
    })),
  };
};

/** From 0 to about 1: quiet at night, busiest in the afternoon, and a burst of a few minutes in some hours. */
const busyness = (id: string, at: number): number => {
  const ofDay = (at % (24 * hour)) / (24 * hour);
  const daily = 0.45 - 0.3 * Math.cos(2 * Math.PI * (ofDay - 0.1));
  const hourStart = Math.floor(at / hour) * hour;
  const burst = seededShare(`${id} burst ${String(hourStart)}`);
  const intoHour = (at - hourStart) / hour;
  return burst < 0.3 && Math.abs(intoHour - burst * 3) < 0.06 ? Math.min(1, daily + 0.45) : daily;
};
