import { join } from 'node:path';

import { lastSealedFile, keepOwnKey } from '../../../src/audit/own-files.ts';
import { createSealer } from '../../../src/audit/seal.ts';
import { alice } from '../../people.ts';
import { featureTests } from '../../features/index.ts';
import { type ServiceStage, setStage, sampleRules } from '../../operations/stage.ts';
import type { Store } from '../../../src/store/store.ts';
import { follow, loseNextAnswer } from '../../rollouts/rolling.ts';

/** A feature's part of the store. */
export interface EarlierPart {
  readonly fill: (stage: ServiceStage, expireAfterMs: number) => Promise<void>;
  /** Expects what `fill` has written. */
  readonly expectFilled: (store: Store) => Promise<void>;
}

const year = 365.25 * 24 * 60 * 60_000;

/** Longer than anyone keeps a store. */
const expireAfterMs = 100 * year;

/**
 * Fills an embedded store during an incident: open requests, a paused rollout, an unknown outcome, suggestions, alerts,
 * deliveries, and a log that is sealed but for its last entries. Returns the folder of the closed store, with its key.
 */
export async function makeStore(): Promise<string> {
  const stage = await setStage({
    expireAfterMs,
    policy: { ...sampleRules.policy, freeze: [] },
  });
  const { store, clock } = stage;
  const dataDir = join(stage.dataDir, 'bot');
  const { key } = keepOwnKey(dataDir);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const sealer = createSealer({ store, keys: [key], file: lastSealedFile(dataDir), clock, log });

  await stage.change(
    '/storage post reaching_used_space --bucket b --storage main --bytes 10GB --reason "full"',
  );
  await sealer.seal();
  const rollout = await stage.propose(
    'alice',
    '/cloud reboot --each tier=web --pause 5s --reason "new kernel"',
  );
  await stage.click('alice', rollout, 'confirm');
  const rolling = follow(stage, rollout.id);
  await rolling.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rolling.until(/paused/u);

  for (const { earlier } of featureTests) await earlier?.fill(stage, expireAfterMs);

  await store.claimOnce('T0LOCAL alice a command', clock.now(), expireAfterMs);
  await store.claimOnce('T0LOCAL alice another command', clock.now(), expireAfterMs, {
    by: 'replica-1',
    now: clock.now(),
    forMs: expireAfterMs,
    waiting: { actor: alice, channel: 'C0OPS', what: '/cloud ips', at: clock.now() },
  });
  await sealer.seal();
  await sealer.close();
  await stage.propose('alice', '/cloud reboot db-1 --reason "hangs"');
  await stage.propose('alice', '/cloud stop web-1');
  await stage.close();
  return dataDir;
}
