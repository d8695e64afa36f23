import { join } from 'node:path';

import { lastSealedFile, keepOwnKey } from '../../../src/audit/own-files.ts';
import { createSealer } from '../../../src/audit/seal.ts';
import { createAgentReads } from '../../../src/features/agents/reads.ts';
import { suggestChange } from '../../../src/features/agents/suggest.ts';
import { alice } from '../../people.ts';
import { holmes } from '../../features/agents/agent-stage.ts';
import { received } from '../../features/alerts/sample-alert.ts';
import { setStage, sampleRules } from '../../operations/stage.ts';
import { follow, loseNextAnswer } from '../../request/rollout/rolling.ts';
import { rule } from '../../run/sample-boxes.ts';

const year = 365.25 * 24 * 60 * 60_000;

/** For longer than anyone keeps a store. */
const expireAfterMs = 100 * year;

/**
 * Fills an embedded store during an incident: open requests, a paused rollout, an unknown outcome, suggestions, alerts,
 * deliveries, and a log that is sealed but for its last entries. Returns the folder of the closed store, with its key.
 */
export async function makeStore(): Promise<string> {
  const stage = await setStage({
    expireAfterMs,
    sections: { ...sampleRules.sections, agents: { holmes: { ...holmes, expireAfterMs } } },
    policy: {
      ...sampleRules.policy,
      freeze: [],
      rules: [
        rule('allow', { programs: ['agent:holmes'], risk: ['read'], operations: ['cloud.*'] }),
        ...sampleRules.policy.rules,
      ],
    },
  });
  const { store, clock, context } = stage;
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

  await store.foldOffer(received({ severity: 'critical', targets: ['web-2'] }, { at: clock.now() }));
  const disk = { key: 'two', title: 'DiskFull' };
  await store.foldOffer(received(disk, { at: clock.now() }));
  await store.foldOffer(received({ ...disk, status: 'resolved' }, { at: clock.now() + 1000 }));
  const posted = { posted: () => Promise.resolve(), linkTo: () => Promise.resolve(undefined) };
  const base = { ...context, ...posted };
  const suggesting = { ...base, ...createAgentReads(base) };
  for (const command of ['/cloud stop web-3', '/cloud reboot web-1'])
    await suggestChange(suggesting, { ...holmes, expireAfterMs }, { command, reason: 'It does not answer.' });

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
