import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import type { Scenario } from '../scenario.ts';
import { slow } from './service-troubles.ts';
import { cannotMount } from '../small-disk.ts';
import { pause } from '../../harness/world.ts';

const guard = 'no change without its entry; outcomes are kept until recorded; the pool reconnects';

const restarted: Scenario = {
  name: 'PostgreSQL restarts',
  guard,
  store: 'postgres',
  play: async ({ postgres, service }) => {
    service.meet(slow(500));
    for (let restart = 0; restart < 2; restart += 1) {
      await postgres.stop();
      await postgres.start();
      await pause(2000);
    }
    service.meet(undefined);
  },
};

const away: Scenario = {
  name: 'PostgreSQL away for 10 s',
  guard,
  store: 'postgres',
  rolls: true,
  play: async ({ postgres, service }) => {
    service.meet(slow(500));
    await pause(1000);
    await postgres.stop();
    await pause(10_000);
    await postgres.start();
    await pause(2000);
    service.meet(undefined);
  },
};

const fullDisk: Scenario = {
  name: 'disk full under the embedded store',
  guard:
    'a group of writes fails as a whole, and each writer gets an error; a failed store is probed by a write',
  store: 'embedded',
  diskBytes: 8 * 1024 * 1024,
  cannotPlay: cannotMount,
  play: async ({ dataDir, replicas }) => {
    const filler = join(dataDir, 'filler');
    fill(filler);
    await pause(6000);
    const full = await readyz(replicas.urlOf(0));
    rmSync(filler);
    if (!full.includes('disk of the data directory is full'))
      throw new Error(`the bot did not notice that the disk was full: ${full}`);
    await pause(1500);
  },
};

const readyz = async (url: string): Promise<string> => (await fetch(`${url}/readyz`)).text();

/** Writes until the disk is full. */
function fill(file: string): void {
  const handle = openSync(file, 'w');
  const block = Buffer.alloc(4096, 1);
  try {
    for (;;) writeSync(handle, block);
  } catch {
    // The disk is full.
  } finally {
    closeSync(handle);
  }
}

export const storeScenarios = [restarted, away, fullDisk] as const;
