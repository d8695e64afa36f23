import { createHash, timingSafeEqual } from 'node:crypto';
import { Failure } from './failure.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The keys that the service knows. */
export interface Keys {
  readonly apiKey: string;
  readonly readOnlyKey?: string | undefined;
}

/**
 * Returns the permissions of the key in an Authorization header. The scheme is case-insensitive.
 *
 * @throws Failure 401 if the header is missing, is not `apikey <KEY>` or has another key.
 */
export const authorize = (header: string | undefined, keys: Keys): 'full' | 'read-only' => {
  if (header === undefined) throw new Failure(401, 'The Authorization header is missing');
  const key = /^apikey (\S+)$/i.exec(header.trim())?.[1];
  if (key === undefined)
    throw new Failure(401, 'The Authorization header is not of the form: apikey <API_KEY>');
  const given = digest(key);
  if (timingSafeEqual(given, digest(keys.apiKey))) return 'full';
  if (keys.readOnlyKey !== undefined && timingSafeEqual(given, digest(keys.readOnlyKey))) return 'read-only';
  throw new Failure(401, 'The API key is not known');
};
