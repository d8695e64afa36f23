import { orUndefined } from './words.ts';

/** A host in normalized spelling, and its port if given. */
export interface HostAddress {
  /** In lower-case ASCII without the final dot. IPv6 addresses are in brackets. */
  readonly name: string;
  readonly port: string | undefined;
}

/** The placeholder for the bucket name in the endpoints of some S3 clients. */
const bucketPlace = '%(bucket)s.';

/** Parses a host in any case, with a final dot, a port or non-ASCII letters. Returns undefined if the text is not just a host. */
export function readHost(text: string): HostAddress | undefined {
  if (text.startsWith(bucketPlace)) {
    const rest = readHost(text.slice(bucketPlace.length));
    return rest && { ...rest, name: `${bucketPlace}${rest.name}` };
  }
  const bare = /^[\da-fA-F]*:[\da-fA-F.]*:[\da-fA-F:.]*$/u.test(text) ? `[${text}]` : text;
  const [, written = '', port] = /^(\[[\da-fA-F:.]+\]|[^\s:/\\?#@%[\]]+)(?::(\d{1,5}))?$/u.exec(bare) ?? [];
  const name = URL.parse(`http://${written}/`)?.hostname.replace(/\.$/u, '') ?? '';
  const isWhole = name.length <= 253 && name.split('.').every((part) => part !== '');
  return isWhole ? { name, port } : undefined;
}

/** The origin of a listener; an IPv6 address is put in brackets. */
export const httpOrigin = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const isAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/u;

/** Whether a host in any spelling equals the other or is a subdomain of it. IP addresses have no subdomains. */
export function isAtOrBelow(host: string, other: string): boolean {
  const name = readHost(host)?.name.replace(bucketPlace, '');
  const wanted = readHost(other)?.name;
  if (name === undefined || wanted === undefined) return false;
  return name === wanted || (!isAddress.test(wanted) && name.endsWith(`.${wanted}`));
}

/** @param hostname as `URL` spells hosts, with addresses in canonical form and IPv6 in brackets */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname);

/**
 * Returns whether an address has a user or password. A `/`, `?` or `#` in a password that was not percent-encoded ends
 * the host early: then the password begins as the port, and the `@` comes later.
 */
export const hasLogin = ({ username, password, port, pathname, search, hash }: URL): boolean =>
  username !== '' || password !== '' || (port !== '' && `${pathname}${search}${hash}`.includes('@'));

/** The longest address from another program that is kept, in UTF-16 units. */
export const longestLink = 1500;

/** The first https address without credentials. An address that is too long is skipped, never cut. */
export const firstLink = (
  candidates: readonly (string | undefined)[],
  most: number = longestLink,
  protocols: readonly string[] = ['https:'],
): string | undefined =>
  candidates
    .map((candidate = '') => (candidate.length > most ? null : URL.parse(candidate)))
    .find((url) => url && protocols.includes(url.protocol) && url.username === '' && url.href.length <= most)
    ?.href;

/** The driver's parameters whose values may contain an `@`. */
const mayHaveAt = /^(?:user|password|options|host|ssl[a-z]+|(?:fallback_)?application_name)$/u;

/**
 * Returns whether a text is an address with one of these protocols, and the special characters of its login are
 * percent-encoded. Otherwise a part of the password would be taken for the host, the path or a parameter.
 */
export function isAddressOf(...protocols: readonly string[]): (text: string) => boolean {
  return (text) => {
    const url = URL.parse(text);
    if (!url || !protocols.includes(url.protocol) || url.hash !== '' || url.pathname.includes('@'))
      return false;
    const atAsParameter = [...url.searchParams].some(
      ([name, value]) => name.includes('@') || (value.includes('@') && !mayHaveAt.test(name)),
    );
    return (
      !atAsParameter && orUndefined(() => decodeURIComponent(`${url.username}:${url.password}`)) !== undefined
    );
  };
}

export const isPostgresAddress = isAddressOf('postgres:', 'postgresql:');

/** The end of a sentence that starts with the name of the setting. */
export const notPostgres =
  'is not the address of a PostgreSQL server. Use postgres://user:password@host:5432/database, and percent-encode ' +
  'special characters in the user and password, such as / as %2F, ? as %3F, # as %23 and % as %25.';

/** Returns whether PostgreSQL is on another machine and is reached without TLS that verifies the server's identity. */
export function isUnverifiedDatabase(databaseUrl: string): boolean {
  const url = URL.parse(databaseUrl);
  if (!url) return false;
  // Like in the driver, the parameter `host` overrides the URL's host, and the last `host` wins.
  const host = url.searchParams.getAll('host').at(-1) || url.hostname;
  const isSocket = /^(?:\/|%2f)/iu.test(host);
  if (isSocket || isLoopback(readHost(host)?.name ?? '')) return false;
  const modes = url.searchParams.getAll('sslmode');
  return modes.length === 0 || modes.some((mode) => mode !== 'verify-full');
}

/** The end of a sentence that starts with the name of the server. */
export const unverifiedDatabase =
  'has no sslmode=verify-full, so traffic to another machine could be read or changed. ' +
  'Production requires it, with sslrootcert=/path/to/ca.pem for your own authority, or DATABASE_TLS=off.';
