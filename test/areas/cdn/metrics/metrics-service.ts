import { onTestFinished } from 'vitest';
import { z } from 'zod';

import { createServiceClient, type ServiceClient } from '../../service-client.ts';
import type { ReadContext } from '../../../../src/model/operation.ts';
import { type Report, report } from '../../../../src/model/values/report.ts';
import type { CdnTarget } from '../../../../src/model/rulebook/target.ts';
import { metrics } from '../../../../src/areas/cdn/metrics.ts';
import { startFaultyServer } from '../../../service/faulty-server.ts';
import { alice } from '../../../people.ts';
import { reach } from '../../../reach.ts';

const query = z.object({
  metrics: z.array(z.string()),
  from: z.string(),
  to: z.string(),
  granularity: z.string(),
  group_by: z.array(z.string()).optional(),
  filter_by: z.array(z.unknown()).optional(),
});
const cdnAccount: CdnTarget = { kind: 'cdn', name: 'CDN account', labels: {} };

export type Query = z.output<typeof query>;

/** The answer to a query: the `data` of the reply, a status, or no answer. */
export type Answering = (query: Query) => readonly object[] | object | number | 'hang';

/** 2026-11-21, 03:00 UTC. */
const now = Date.UTC(2026, 10, 21, 3, 0);

const nothing = () => {
  throw new Error('metrics has no need of this');
};

/** Asks for metrics as someone in this zone does. The service over HTTP answers with `answering`. */
export async function metricsFrom(answering: Answering, timeZone = 'UTC') {
  const queries: Query[] = [];
  const server = await startFaultyServer((response) => {
    const asked = query.parse(JSON.parse(server.seen.at(-1)?.body ?? ''));
    queries.push(asked);
    const given = answering(asked);
    if (given === 'hang') return;
    const status = typeof given === 'number' ? given : 200;
    const json = typeof given === 'number' ? { status, message: 'no metrics today' } : { data: given };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  });
  const service = createServiceClient({ baseUrl: server.url, apiKeys: () => ['key-of-metrics'] });
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await service.close();
  });
  return {
    queries,
    async ask(values: Readonly<Record<string, unknown>>): Promise<Report> {
      const input = metrics.input.parse(values);
      const context: ReadContext<CdnTarget, ServiceClient> = {
        target: cdnAccount,
        service,
        actor: alice,
        person: { ...alice, fullMember: true, guest: false, active: true, timeZone },
        place: { team: 'T0LOCAL', channel: 'C0OPS' },
        inventory: { regions: {}, instances: {}, containers: {}, targets: {} },
        extensions: [],
        bellhop: new Proxy({} as never, { get: nothing }),
        ...reach,
        confirmed: [],
        maySend: () => true,
        now,
      };
      const answer = await metrics.run(input, context);
      return report.parse(metrics.report(answer, { target: cdnAccount, input }));
    },
  };
}

/** Items of this many minutes, from the query's `from` on. */
export const minutes = (
  { from }: Query,
  count: number,
  values: (minute: number) => Readonly<Record<string, unknown>>,
): readonly object[] =>
  Array.from({ length: count }, (_, minute) => ({
    timestamp: Date.parse(from.replace('+00:00', 'Z')) / 1000 + minute * 60,
    ...values(minute),
  }));

/** Whether a query is for the range before that of the last hour. */
export const isEarlier = ({ from }: Query): boolean => from < '2026-11-21T02:00:00+00:00';
