import { copyFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { lastSealedFile } from '../../../src/audit/own-files.ts';
import { putInto } from '../../../src/features/publication/publish.ts';
import { recallSealed } from '../../../src/features/publication/recall.ts';
import { createSealer } from '../../../src/audit/seal.ts';
import { makeSigningKey } from '../../../src/audit/tree/signing-key.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { silentLog } from '../../log.ts';
import { serve } from '../../serve.ts';
import { aDraft } from '../../store/sample-request.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openStore } from '../../store/open-store.ts';

const keys = [makeSigningKey('bellhop-audit/test')] as const;

async function open(dataDir: string) {
  const store = await openStore({ dataDir });
  onTestFinished(() => store.close());
  return store;
}

const sealer = (store: Awaited<ReturnType<typeof open>>, file = lastSealedFile(temporaryFolder())) =>
  createSealer({ store, keys, file, clock: createDrivenClock(), log: silentLog });

const recall = (from: readonly string[], logged: string[] = []) =>
  recallSealed({
    file: lastSealedFile(temporaryFolder()),
    keys,
    published: from,
    log: {
      ...silentLog,
      info: (_, message) => void logged.push(message),
      warn: (_, message) => void logged.push(message),
    },
  });

describe('a replica without a memory of its own, as in a new pod', () => {
  let older: string;
  let published: string;
  let note: string;

  /** A log of three entries, published, and a genuine copy of it from when it had one. */
  beforeAll(async () => {
    const kept = mkdtempSync(join(temporaryFolder(), 'kept-'));
    [older, published] = [mkdtempSync(join(kept, 'older-')), mkdtempSync(join(kept, 'published-'))];
    const first = await openStore({ dataDir: kept });
    await first.record([aDraft()]);
    await sealer(first).seal();
    await first.close();
    copyFileSync(join(kept, 'bellhop.db'), join(older, 'bellhop.db'));
    const store = await openStore({ dataDir: kept });
    await store.record([aDraft(), aDraft()]);
    await sealer(store).seal();
    const newest = await store.newestCheckpoint();
    if (!newest) throw new Error('The log has no checkpoint.');
    note = newest.note;
    await putInto(published, store)(newest);
    await store.close();
  });

  it.each(['folder', 'URL'])('refuses a log that was rolled back, by what a %s has', async (kind) => {
    const site = await serve((_, response) => void response.end(note));
    const store = await open(older);
    await store.record([aDraft()]);
    const memory = await recall([kind === 'folder' ? published : site.url]);
    await expect(sealer(store, memory).seal()).rejects.toThrow(
      'The audit log was rolled back: this replica has sealed 3 entries, but the log has 1',
    );
  });

  it('continues without what is missing, can’t be read or is not signed, and logs each', async () => {
    const forged = await serve((_, response) => void response.end(note.replaceAll('— bellhop', '— other')));
    const failing = await serve((_, response) => void response.writeHead(500).end());
    const empty = await serve((_, response) => void response.writeHead(404).end());
    const logged: string[] = [];
    const memory = await recall([forged.url, failing.url, empty.url, '/does/not/exist'], logged);
    expect(memory.read()).toBeUndefined();
    expect(logged.toSorted()).toEqual([
      ...Array<string>(3).fill('a published checkpoint was not read, so the log is not compared with it'),
      'no checkpoint is published here, so the log is not compared with one',
    ]);
  });

  it('prefers its own memory', async () => {
    const file = lastSealedFile(temporaryFolder());
    await file.keep(note);
    expect(await recallSealed({ file, keys, published: ['/does/not/exist'], log: silentLog })).toBe(file);
  });
});
