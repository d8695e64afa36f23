import { BellhopError } from '../core/model/errors.ts';

export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** A path prefix without a trailing slash, or "". */
  readonly prefix: string;
}

/**
 * Reads `API_BASE_URL`: http or https, perhaps a path prefix and a trailing slash.
 * @throws BellhopError `configuration` naming the variable; the value is never repeated, it may hold a password.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new BellhopError(
      'configuration',
      'API_BASE_URL must be an http or https address, like https://host/prefix.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new BellhopError(
      'configuration',
      'API_BASE_URL must not hold a user name or password: put the key into API_KEY.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new BellhopError('configuration', 'API_BASE_URL must end before any "?" or "#".');
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}
