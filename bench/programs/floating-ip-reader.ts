/**
 * Reads lists of floating IPs in its own process: `node floating-ip-reader.ts axios <port>`. It receives a number of calls to
 * make and reports the CPU of each, in microseconds.
 */
import { Agent, request } from 'undici';
import { z } from 'zod';

import { cloud } from '../../src/areas/cloud/index.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { floatingIpListRead } from '../../src/areas/cloud/client/floating-ip.ts';
import { cpuOf } from '../measure/cpu-of.ts';

/** Resolves to how many floating IPs were in the list. */
type Read = (count: number) => Promise<number>;

const [name = '', port = ''] = process.argv.slice(2);
const baseUrl = `http://127.0.0.1:${port}`;
const urlOf = (count: number): string => `${baseUrl}/cloud/v1/availablefloatingips/1/${count}`;
const headers = { authorization: 'apikey bench' };

/** With full validation, deadline, retries, bulkhead and breaker. */
function bellhop(): Read {
  const client = createServiceClient([cloud], { baseUrl, apiKeys: () => ['bench'] });
  return async (count) => {
    const { value, problems } = await client.listFloatingIps(
      { project: 1, region: count },
      { correlationId: 'bench' },
    );
    return problems.length === 0 ? value.results.length : 0;
  };
}

const list = z.custom<{ results: unknown[] }>();

/** The least possible work. */
function undici(): Read {
  const dispatcher = new Agent();
  return async (count) => {
    const { body } = await request(urlOf(count), { dispatcher, headers });
    const { results } = list.parse(JSON.parse(await body.text()));
    return results.length;
  };
}

const peer = z.object({
  read: z.custom<(url: string, sent: typeof headers) => Promise<unknown>>(),
});

/** As in its documentation, followed by our schema. */
async function axios(): Promise<Read> {
  const { read: get } = peer.parse(await import('../peers/read-with-axios.js'));
  return async (count) => {
    const { value, problems } = floatingIpListRead.read(await get(urlOf(count), headers));
    return problems.length === 0 ? (value.results?.length ?? 0) : 0;
  };
}

const readers: Readonly<Record<string, () => Read | Promise<Read>>> = { bellhop, undici, axios };
const start = readers[name];
if (start === undefined) throw new Error(`No reader is called ${name}`);
const read = await start();

const order = z.object({ count: z.number(), calls: z.number() });

async function carryOut({ count, calls }: z.infer<typeof order>): Promise<void> {
  const cpu = await cpuOf(async () => {
    for (let call = 0; call < calls; call += 1) {
      if ((await read(count)) !== count) throw new Error('the reply was misread');
    }
  });
  process.send?.(cpu / calls);
}

process.on('message', (message) => void carryOut(order.parse(message)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
