import { resolve } from 'node:path';

import { BellhopError } from '../model/errors.ts';
import { isUnverifiedDatabase, unverifiedDatabase } from '../model/host.ts';
import type { StoreLocation } from './open-store.ts';

/** Of this environment. */
export const dataDirectory = (): string => resolve(process.env.DATA_DIR?.trim() || '.data');

/** For a program: the store that Bellhop itself uses with this environment. @throws BellhopError as `serverAt` does */
export function storeOfEnvironment(): StoreLocation {
  const databaseUrl = process.env.DATABASE_URL?.trim();
  return databaseUrl ? serverAt(databaseUrl, 'DATABASE_URL') : { dataDir: dataDirectory() };
}

/**
 * For a program: the PostgreSQL server that a setting or an option names.
 * @throws BellhopError `configuration` where a start in this environment would refuse it
 */
export function serverAt(databaseUrl: string, name: string): { readonly databaseUrl: string } {
  const { NODE_ENV, DATABASE_TLS } = process.env;
  const verified = NODE_ENV?.trim().toLowerCase() === 'production' && DATABASE_TLS?.trim() !== 'off';
  if (verified && isUnverifiedDatabase(databaseUrl))
    throw new BellhopError('configuration', `${name} ${unverifiedDatabase}`);
  return { databaseUrl };
}
