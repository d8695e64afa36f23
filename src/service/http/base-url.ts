/** The address of a service: scheme, host and port, and a path prefix without a trailing slash, or "". */
export interface BaseUrl {
  readonly origin: string;
  readonly prefix: string;
}

/** Reads an http or https address, or says what keeps it from being one. The text may hold a password. */
export function readBaseUrl(text: unknown): BaseUrl | 'no http address' | 'login' | 'query' {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'no http address';
  if (url.username !== '' || url.password !== '') return 'login';
  if (url.search !== '' || url.hash !== '') return 'query';
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/u, '') };
}
