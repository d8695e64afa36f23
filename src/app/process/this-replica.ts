import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

const packageFile = join(import.meta.dirname, '../../../package.json');

/** Which of several processes on one store this is: the machine or container, and the process in it. */
export const replicaId = (): string => `${hostname()}/${process.pid}`;

/** The version of `package.json`. */
export const readVersion = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version;
