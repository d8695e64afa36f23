/**
 * Opens the store of a data directory and records entries, a few at a time, until the process is killed. Writes `open`,
 * then the number of recorded entries so far, straight to the pipe, so that each line is true when it is read.
 */
import { writeSync } from 'node:fs';

import { aDraft } from './sample-request.ts';
import { openStore } from './open-store.ts';

const store = await openStore({ dataDir: process.argv[2] ?? '' });
writeSync(1, 'open\n');
for (let answered = 7; ; answered += 7) {
  await Promise.all(Array.from({ length: 7 }, () => store.record([aDraft()])));
  writeSync(1, `${answered}\n`);
}
