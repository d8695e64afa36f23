import { networkInterfaces } from 'node:os';

import { afterAll, expect, it } from 'vitest';

import { setStage, type Stage } from '../stage.ts';

let stage: Stage;
afterAll(() => stage.close());

const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);

it.runIf(addresses.some(({ family }) => family === 'IPv6'))(
  'answers on IPv6 and on IPv4 where HOST is ::',
  async () => {
    stage = await setStage({ env: { HOST: '::' } });
    const { port } = new URL(stage.botUrl);
    const hosts = addresses
      .filter(({ address }) => !address.startsWith('fe80'))
      .map(({ family, address }) => (family === 'IPv6' ? `[${address}]` : address));
    expect(hosts).toEqual(expect.arrayContaining(['[::1]', '127.0.0.1']));
    for (const host of hosts) expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200);
  },
);
