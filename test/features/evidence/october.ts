import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { keepOwnKey, ownKeyFile } from '../../../src/audit/own-files.ts';
import { formatVerifierKey, verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { formatSigningKey, makeSigningKey } from '../../../src/audit/tree/signing-key.ts';
import { type AuditDraft, roomEvent } from '../../../src/model/records/audit.ts';
import { callProgram } from '../../call-program.ts';
import { sealAll } from '../../store/contract/opened.ts';
import { openStore } from '../../store/open-store.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const actor = (user: string) => ({ team: 'T0LOCAL', user });

const carolsLogin = {
  issuer: 'https://login.example.com',
  subject: 'carol@example.com',
  auth_time: Date.UTC(2026, 9, 5, 8) / 1000,
};

type Step = Partial<AuditDraft> & Pick<AuditDraft, 'event'>;

/** The entries of a request, a minute apart. */
export function story(requestId: string, at: number, target: string, steps: readonly Step[]): AuditDraft[] {
  const env = target.startsWith('db') ? 'production' : 'staging';
  const about = {
    operation: 'cloud.reboot',
    target: { kind: 'instance', name: target, key: `instance:1/2/${target}`, labels: { env } },
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    rule: `rule “${env}”`,
    policyHash: 'rules of October',
    requestId,
  };
  return steps.map((step, index) => ({ ...about, at: at + index * 60_000, ...step }));
}

const alice = { actor: actor('U0ALICE') };
const bob = { actor: actor('U0BOB') };
const carol = { actor: actor('U0CAROL') };

export const confirmed: readonly Step[] = [
  { event: 'proposed', outcome: 'proposed', ...alice, reason: 'it hangs' },
  { event: 'confirmed', outcome: 'running', ...alice },
  { event: 'started', outcome: 'running' },
  { event: 'ended', outcome: 'succeeded' },
];

const day = (date: number, month = 9): number => Date.UTC(2026, month, date, 9);

/** A log from September to November, sealed in rounds. */
export const rounds: readonly (readonly AuditDraft[])[] = [
  [
    { at: day(29, 8), event: 'policy loaded', policyHash: 'rules of October' },
    ...story('r-september', day(30, 8), 'web-1', confirmed.slice(0, 3)),
  ],
  [...story('r-september', day(1), 'web-1', [{ event: 'ended', outcome: 'unknown' }])],
  [
    { at: day(2), event: 'read', ...bob, operation: 'cloud.ips', policyHash: 'rules of October' },
    ...story('r-approved', day(5), 'db-1', [
      {
        event: 'proposed',
        outcome: 'awaiting approval',
        ...alice,
        reason: '=HYPERLINK("x"), "twice"\nand more',
      },
      { event: 'approved', outcome: 'running', ...carol, login: carolsLogin },
      { event: 'started', outcome: 'running' },
      { event: 'ended', outcome: 'unknown' },
    ]),
    ...story('r-denied', day(6), 'db-2', [
      { event: 'proposed', outcome: 'awaiting approval', ...bob },
      { event: 'denied approval', outcome: 'refused', ...carol, reason: 'not today' },
    ]),
  ],
  [
    ...story('r-glass', day(7), 'db-1', [
      { event: 'proposed', outcome: 'proposed', ...bob, reason: 'down' },
      { event: 'confirmed', outcome: 'running', ...bob },
      { event: roomEvent.parse('break-glass'), outcome: 'running', ...bob, reason: 'no one answers' },
      { event: 'started', outcome: 'running' },
      { event: 'ended', outcome: 'succeeded' },
    ]),
    ...story('r-rollout', day(8), 'web-1 and web-2', [
      { event: 'proposed', outcome: 'awaiting approval', ...alice },
    ]),
    ...story('r-rollout', day(8) + 1, 'web-1 and web-2', [
      { event: 'approved', outcome: 'running', ...carol },
    ]),
    ...story(
      'r-one',
      day(8) + 2,
      'web-1',
      confirmed.map((step) => ({ ...step, rollout: 'r-rollout' })),
    ),
    ...story('r-two', day(8) + 3, 'web-2', [
      { event: 'proposed', outcome: 'proposed', ...alice, rollout: 'r-rollout' },
      { event: 'cancelled', outcome: 'cancelled', ...alice, rollout: 'r-rollout' },
    ]),
    ...story('r-last', Date.UTC(2026, 9, 31, 23, 59), 'web-1', confirmed),
  ],
  [
    ...story('r-approved', day(1, 10), 'db-1', [
      { event: 'settled', outcome: 'succeeded', ...carol, reason: 'it was rebooted' },
    ]),
    {
      at: day(1, 10),
      event: roomEvent.parse('review closed'),
      ...carol,
      requestId: 'r-glass',
      reason: 'fine',
      policyHash: 'rules',
    },
    ...story('r-november', day(1, 10), 'web-1', confirmed),
  ],
];

/** A signature by someone whose key the pack does not have. */
const strangersLine = `— stranger.example ${Buffer.alloc(76, 7).toString('base64')}`;

/**
 * Records and seals entries in a new embedded store, one round after the other. A stranger cosigns the first one.
 * @param origin the name of the log; by default, a new one
 */
export async function logOf(sealed: readonly (readonly AuditDraft[])[], origin?: string) {
  const dataDir = temporaryFolder();
  if (origin !== undefined)
    writeFileSync(ownKeyFile(dataDir), formatSigningKey(makeSigningKey(origin)), { mode: 0o600 });
  const own = keepOwnKey(dataDir).key;
  const store = await openStore({ dataDir });
  for (const [index, drafts] of sealed.entries()) {
    await store.record(drafts);
    await sealAll(store, Math.max(...drafts.map(({ at }) => at)), [own]);
    if (index === 0)
      await store.keepCosignature({ number: 1, witness: 'stranger.example', line: strangersLine, at: 0 });
  }
  await store.close();
  return { dataDir, key: formatVerifierKey(verifierOf(own, own.name)), origin: own.name };
}

export const audit = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  callProgram('audit', args, env, temporaryFolder());

export const october = ['--from', '2026-10-01', '--to', '2026-10-31'];

/** Makes a pack of the log in a data directory. */
export async function packOf(dataDir: string, more: readonly string[] = []) {
  const folder = join(temporaryFolder(), 'october');
  const ran = await audit(['evidence', ...october, '--out', folder, ...more], { DATA_DIR: dataDir });
  return { folder, ran };
}

/** A pack, and one that continues its first checkpoint with entries that someone else signed. */
export async function forgedPack() {
  // Hashes of reasons have a salt, so the same reasons would make other entries.
  const silent = rounds.map((drafts) => drafts.map((draft) => ({ ...draft, reason: undefined })));
  const { dataDir, origin } = await logOf(silent);
  const { folder } = await packOf(dataDir);
  const theirs = silent.filter((_, at) => at !== 3);
  const { folder: forged } = await packOf((await logOf(theirs, origin)).dataDir);
  return { folder, forged };
}

/** A copy of a folder, to alter. */
export function copyOf(folder: string): string {
  const copy = join(temporaryFolder(), 'copy');
  mkdirSync(copy);
  cpSync(folder, copy, { recursive: true });
  return copy;
}
