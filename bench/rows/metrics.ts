import type { Accepted } from '../../src/service/errors/reply.ts';
import { readMetricsReply } from '../../src/areas/cdn/client/metrics-reply.ts';
import { ServiceError } from '../../src/model/values/errors.ts';
import { report } from '../../src/model/values/report.ts';
import { metricsInput } from '../../src/areas/cdn/metrics/input.ts';
import { planMetrics } from '../../src/areas/cdn/metrics/plan.ts';
import { metricsReport } from '../../src/areas/cdn/metrics/report.ts';
import { renderReport } from '../../src/slack/render/report.ts';
import type { Measure } from '../comparison.ts';
import { cpuOf } from '../measure/cpu-of.ts';
import { interleave } from '../measure/interleave.ts';

const points = 1_440;
const groups = 100;
const from = 1_763_600_000;

const values = (seed: number) => ({
  edge_status_2xx: 20_000 + ((seed * 7919) % 9973),
  edge_status_3xx: 900 + ((seed * 31) % 211),
  edge_status_4xx: 120 + ((seed * 17) % 97),
  edge_status_5xx: (seed * 13) % 29,
});

/** The metrics reply as the service sends it: an item an interval and group, ascending by time. */
function body(resources: readonly number[] | undefined, start: number): Buffer {
  const data = Array.from({ length: points }, (_, index) => {
    const timestamp = start + index * 60;
    if (!resources) return [{ timestamp, ...values(index) }];
    return resources.map((resource) => ({ timestamp, resource, ...values(index + resource) }));
  });
  return Buffer.from(JSON.stringify({ data: data.flat() }));
}

const accepted = (bytes: Buffer): Accepted => ({
  status: 200,
  body: bytes,
  type: 'application/json',
  refuse: (problem) => new ServiceError('rejected', problem, { method: 'POST', path: '/', status: 200 }),
});

/** Garbage is collected between the rounds, so that no round pays for another's. */
const perRound = (work: () => void) => () => {
  globalThis.gc?.({ type: 'minor' });
  return cpuOf(work);
};

/** The cost of a day of metrics by resource, from the service's bytes to the JSON for Slack. */
export const measure: Measure = async () => {
  const resources = Array.from({ length: groups }, (_, index) => 1001 + index);
  const bodies = {
    overall: body(undefined, from),
    grouped: body(resources, from),
    earlier: body(undefined, from - points * 60),
  };
  const input = metricsInput.parse({ last: '24h', every: '1m', by: ['resource'] });
  const now = (from + points * 60) * 1000;

  const ours = (): void => {
    const plan = planMetrics(input, now, 'UTC');
    const answer = report.parse(
      metricsReport({
        plan,
        overall: readMetricsReply(accepted(bodies.overall), []),
        grouped: readMetricsReply(accepted(bodies.grouped), plan.by),
        earlier: readMetricsReply(accepted(bodies.earlier), []),
        unknownZone: undefined,
      }),
    );
    const words = '/cdn metrics --last 24h --every 1m --by resource';
    const message = renderReport(answer, { words, shareable: true, modern: true, now, disclaimers: [] });
    const sent = JSON.stringify(message);
    if (!sent.includes('data_visualization') || !sent.includes('100')) throw new Error('no answer');
  };
  const parse = (): void => {
    for (const bytes of Object.values(bodies)) JSON.parse(bytes.toString());
  };
  const figures = await interleave(
    { parse: perRound(parse), ours: perRound(ours), 'parse again': perRound(parse) },
    { rounds: 21, warmUps: 5 },
  );
  return [
    {
      what: `metrics, ${points.toLocaleString('en')} points × ${groups} groups: reply → answer ready to send`,
      ours: figures.of('ours') / 1000,
      beside: 'JSON.parse of the same bytes',
      other: figures.of('parse') / 1000,
      unit: 'ms CPU',
      ratio: figures.ratio('ours', 'parse'),
      aim: { atMost: 2.5 },
      control: figures.ratio('parse again', 'parse'),
    },
  ];
};
