import { resolve } from 'node:path';

import type { StoreChoice } from '../config.ts';
import type { Settings } from './settings.ts';

/** Where requests and the audit are kept. Undefined where a problem was found. */
export function readStoreChoice(settings: Settings, dataDir: string): StoreChoice | undefined {
  const databaseUrl = settings.value('DATABASE_URL');
  if (databaseUrl === undefined) return { dataDir };
  const url = URL.parse(databaseUrl);
  if (url && ['postgres:', 'postgresql:'].includes(url.protocol) && decodable(url.password)) {
    return { databaseUrl };
  }
  settings.problem(
    'DATABASE_URL',
    'is not the address of a PostgreSQL server: give postgres://user:password@host:5432/database, with special ' +
      'characters of the password percent-encoded.',
  );
  return undefined;
}

/** An absolute path. */
export const readDataDir = (settings: Settings, cwd: string): string =>
  resolve(cwd, settings.value('DATA_DIR') ?? '.data');

function decodable(password: string): boolean {
  try {
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
}
