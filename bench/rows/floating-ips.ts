import { fork } from 'node:child_process';
import { once } from 'node:events';

import { Agent, request } from 'undici';
import { z } from 'zod';

import { createServiceClient } from '../../src/api/client.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { interleave } from '../interleave.ts';

const sizes = [
  { count: 10, calls: 200, atMost: 1.15 },
  { count: 1_000, calls: 12, atMost: 1.3 },
  { count: 10_000, calls: 2, atMost: 1.4 },
];

const listening = z.tuple([z.object({ port: z.number() })]).rest(z.unknown());

/**
 * What a list of floating IPs costs with full validation, deadline, retries and breaker, against the least that
 * one can do: undici's request and JSON.parse.
 */
export const measure: Measure = async () => {
  const server = fork(new URL('../floating-ip-server.ts', import.meta.url));
  const [{ port }] = listening.parse(await once(server, 'message'));
  const baseUrl = `http://127.0.0.1:${port}`;
  const agent = new Agent();
  const client = createServiceClient({ baseUrl, apiKey: 'bench' });
  const bare = async (count: number): Promise<void> => {
    const { body } = await request(`${baseUrl}/cloud/v1/availablefloatingips/1/${count}`, {
      dispatcher: agent,
      headers: { authorization: 'apikey bench' },
    });
    JSON.parse(await body.text());
  };
  const ours = async (count: number): Promise<void> => {
    const reply = await client.listFloatingIps({ project: 1, region: count }, { correlationId: 'bench' });
    if (reply.value.results.length !== count || reply.problems.length > 0)
      throw new Error('the reply was misread');
  };
  const comparisons: Comparison[] = [];
  for (const { count, calls, atMost } of sizes) {
    const perCall = async (way: (count: number) => Promise<void>): Promise<number> => {
      const began = performance.now();
      for (let call = 0; call < calls; call += 1) await way(count);
      return (performance.now() - began) / calls;
    };
    const figures = await interleave(
      { bare: () => perCall(bare), ours: () => perCall(ours), 'bare again': () => perCall(bare) },
      { rounds: 41, warmUps: 5 },
    );
    comparisons.push({
      what: `${count.toLocaleString('en')} floating IPs read and validated`,
      ours: figures.of('ours'),
      beside: 'undici request + JSON.parse',
      other: figures.of('bare'),
      unit: 'ms',
      ratio: figures.ratio('ours', 'bare'),
      aim: { atMost },
      control: figures.ratio('bare again', 'bare'),
    });
  }
  await client.close();
  await agent.close();
  server.disconnect();
  return comparisons;
};
