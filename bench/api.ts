import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { createServiceClient } from '../src/api/client.ts';

/**
 * What a list of floating IPs costs with full validation, deadline, retries and breaker, against the least that
 * one can do: undici's request and JSON.parse. Rounds alternate, so that a busy machine burdens both alike.
 */
const sizes = [
  { count: 10, callsPerRound: 200, most: 1.15 },
  { count: 1_000, callsPerRound: 12, most: 1.3 },
  { count: 10_000, callsPerRound: 2, most: 1.4 },
];
const rounds = 41;

const server = fork(new URL('floating-ip-server.ts', import.meta.url));
const listening = z.tuple([z.object({ port: z.number() })]).rest(z.unknown());
const [{ port }] = listening.parse(await once(server, 'message'));
const baseUrl = `http://127.0.0.1:${port}`;

const agent = new Agent();
const client = createServiceClient({ baseUrl, apiKey: 'bench' });

const ways = {
  async bare(count: number): Promise<void> {
    const { body } = await request(`${baseUrl}/cloud/v1/availablefloatingips/1/${count}`, {
      dispatcher: agent,
      headers: { authorization: 'apikey bench' },
    });
    JSON.parse(await body.text());
  },
  async ours(count: number): Promise<void> {
    const { value, problems } = await client.listFloatingIps(
      { project: 1, region: count },
      { correlationId: 'bench' },
    );
    if (value.results.length !== count || problems.length > 0) throw new Error('the reply was misread');
  },
};

async function millisecondsPerCall(way: keyof typeof ways, count: number, calls: number): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) await ways[way](count);
  return (performance.now() - start) / calls;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN;
}

process.stdout.write('floating IPs   request + JSON.parse   Bellhop     ratio   at most\n');
for (const { count, callsPerRound, most } of sizes) {
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = -5; round < rounds; round += 1) {
    const pair: (keyof typeof ways)[] = round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare'];
    for (const way of pair) {
      const milliseconds = await millisecondsPerCall(way, count, callsPerRound);
      if (round >= 0) (way === 'bare' ? bare : ours).push(milliseconds);
    }
  }
  const ratio = median(ours.map((milliseconds, round) => milliseconds / (bare[round] ?? Number.NaN)));
  process.stdout.write(
    [
      String(count).padStart(12),
      `${median(bare).toFixed(3)} ms`.padStart(22),
      `${median(ours).toFixed(3)} ms`.padStart(12),
      ratio.toFixed(2).padStart(9),
      most.toFixed(2).padStart(9),
    ].join('') + '\n',
  );
}

await client.close();
await agent.close();
server.disconnect();
