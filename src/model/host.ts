/** A host in the one spelling in which hosts are compared, and its port where one was given. */
export interface HostAddress {
  /** In small letters and ASCII, without the final dot; IPv6 in brackets. */
  readonly name: string;
  readonly port: string | undefined;
}

/** How some S3 clients write where the name of the bucket goes. */
const bucketPlace = '%(bucket)s.';

/** Reads a host as it may be written: in any case, with a final dot, a port, letters beyond ASCII. Undefined for what is no host alone. */
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

/** As it is sent, `ftp.example.com:2121`; undefined for what is no host alone. */
export function spellHost(text: string): string | undefined {
  const { name, port } = readHost(text) ?? {};
  return name === undefined || port === undefined ? name : `${name}:${port}`;
}

/** As URL writes one. */
const isAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/u;

/** Whether a host, however written, is the other or below it. An address has nothing below it. */
export function isAtOrBelow(host: string, other: string): boolean {
  const name = readHost(host)?.name.replace(bucketPlace, '');
  const wanted = readHost(other)?.name;
  if (name === undefined || wanted === undefined) return false;
  return name === wanted || (!isAddress.test(wanted) && name.endsWith(`.${wanted}`));
}

/** @param hostname as URL has it: addresses in their canonical form, IPv6 in brackets */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname);

/** Whether a PostgreSQL server other than one of this machine is reached without TLS that proves who it is. */
export function isUnverifiedDatabase(databaseUrl: string): boolean {
  const url = URL.parse(databaseUrl);
  if (!url) return false;
  // As the driver reads it: `host` counts more than the authority, and of several the last one.
  const host = url.searchParams.getAll('host').at(-1) || url.hostname;
  const isSocket = /^(?:\/|%2f)/iu.test(host);
  if (isSocket || isLoopback(readHost(host)?.name ?? '')) return false;
  const modes = url.searchParams.getAll('sslmode');
  return modes.length === 0 || modes.some((mode) => mode !== 'verify-full');
}

/** The end of a sentence that begins with what names the server. */
export const unverifiedDatabase =
  'has no sslmode=verify-full: what goes to another machine could be read or changed on the way. ' +
  'Production needs it, with sslrootcert=/path/to/ca.pem where the authority is your own; or DATABASE_TLS=off.';
