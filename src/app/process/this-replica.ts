import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

import { z } from 'zod';

import { projectFile } from '../../config/environment/files.ts';

/** Which of several processes on one store this is: the machine or container, and the process in it. */
export const replicaId = (): string => `${hostname()}/${process.pid}`;

/** The version of `package.json`. */
export const readVersion = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(projectFile('package.json'), 'utf8')))
    .version;
