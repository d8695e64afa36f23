import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { temporaryFolder } from '../../../temporary-folder.ts';
import { copyOf, logOf, packOf, rounds } from '../october.ts';

const source = join(import.meta.dirname, 'verify-pack.go');
/** Debian's folder with the sources of Go packages. */
const gopath = '/usr/share/gocode';

const goes = (pack: string): Promise<string> =>
  promisify(execFile)('go', ['run', source, pack], {
    env: { ...process.env, GOPATH: gopath, GO111MODULE: 'off', GOCACHE: temporaryFolder() },
  }).then(
    ({ stdout }) => stdout,
    (error: Error) => error.message,
  );

it.runIf(process.env['GO'] === '1')(
  'a verifier that was not written here accepts checkpoints and proofs',
  async () => {
    const { dataDir } = await logOf(rounds);
    const { folder } = await packOf(dataDir);
    expect(await goes(folder)).toBe('25 entries, trees of 4 and 35\n');
    const copy = copyOf(folder);
    const file = join(copy, 'entries.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('U0ALICE', 'U0MALLO'));
    expect(await goes(copy)).toContain('invalid transparency proof');
  },
);
