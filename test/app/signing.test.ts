import { expect, it, onTestFinished } from 'vitest';

import { auditStatus, openSigning, reportSigning, type Signing } from '../../src/app/signing.ts';
import type { Config } from '../../src/config/environment/environment.ts';
import { lastSealedFile } from '../../src/audit/own-files.ts';
import { createSealer } from '../../src/audit/seal.ts';
import { createRedactor } from '../../src/command/redactor.ts';
import { formatVerifierKey, verifierOf } from '../../src/audit/tree/signed-note.ts';
import { verifyAudit } from '../../src/audit/verify/verify-audit.ts';
import { load } from '../config/loading.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { commonPostgres } from '../common-postgres.ts';
import { aDraft } from '../store/sample-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openStore } from '../store/open-store.ts';

/** A replica that only seals, with its own data directory. */
async function replica(location: Config['store'], dataDir = temporaryFolder()) {
  const store = await openStore(location);
  const logged: string[] = [];
  const write = (_: object, message: string): void => void logged.push(message);
  const log = { info: write, warn: write, error: write };
  const config = { ...(await load({})), store: location, dataDir };
  const signing = openSigning(config, createRedactor());
  reportSigning(signing, config, log);
  const sealer = createSealer({
    store,
    keys: signing.keys,
    file: lastSealedFile(dataDir),
    clock: createDrivenClock(),
    log,
  });
  onTestFinished(() => store.close());
  return { store, signing, sealer, logged, dataDir };
}

const verifiersOf = ({ keys: [key] }: Signing, origin: string) => [verifierOf(key, origin)];

it('signing lets the first of two replicas with keys of their own seal all of a log, and tells the other what to do', async () => {
  const location = { databaseUrl: await commonPostgres.createDatabase() };
  const [one, other] = [await replica(location), await replica(location)];
  await one.store.record([aDraft()]);
  await one.sealer.seal();
  await other.store.record([aDraft()]);
  await expect(other.sealer.seal()).rejects.toThrow(
    'Checkpoint 1 of the audit log is not signed by a key of this replica, so sealing has stopped. If replicas share no key, configure one for all: audit: { key: secret:audit-key }. After a restore, a failover or a key change, stop Bellhop and run: npm run audit -- adopt-log. If none of these happened, someone rewrote the log. Compare it with a published checkpoint: npm run audit -- verify --checkpoint FILE.',
  );
  expect(await one.store.newestCheckpoint()).toMatchObject({ number: 1, size: 1 });
  await one.sealer.seal();
  const keys = verifiersOf(one.signing, one.signing.keys[0].name);
  expect(await verifyAudit(one.store, { keys })).toEqual({ intact: true, size: 2 });
  expect(await auditStatus(one.signing, one.store)).toMatchObject({ keys: keys.map(formatVerifierKey) });
  expect(await auditStatus(other.signing, other.store)).toMatchObject({ keys: [] });
  const restarted = await replica(location, one.dataDir);
  expect(restarted.logged).toEqual([
    expect.stringContaining('only this replica can seal the audit log, with its own key'),
  ]);
});

it('a replica does not go on with a log that its key has not signed, on the embedded store either', async () => {
  const location = { dataDir: temporaryFolder() };
  const before = await replica(location);
  await before.store.record([aDraft()]);
  await before.sealer.seal();
  await before.store.close();
  const after = await replica(location);
  await after.store.record([aDraft()]);
  await expect(after.sealer.seal()).rejects.toThrow('npm run audit -- adopt-log');
  expect(await after.store.newestCheckpoint()).toMatchObject({ number: 1, size: 1 });
});
