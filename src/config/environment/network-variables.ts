import { z } from 'zod';

import { readSmallFile } from '../../program/files.ts';

/** The HTTP client and Node itself use these variables. Here the values are only checked. */
export const networkVariables = z.object({
  HTTPS_PROXY: proxy().meta({
    description:
      'proxy for https, such as `http://user:password@proxy.example.com:3128`; never for this machine or PostgreSQL; `https_proxy` takes precedence',
    fallback: '`HTTP_PROXY`',
  }),
  HTTP_PROXY: proxy().meta({
    description: 'proxy for http; `http_proxy` takes precedence',
    fallback: 'none',
  }),
  NO_PROXY: z.string().optional().meta({
    description:
      'hosts that are reached without a proxy, such as `.internal,10.0.0.5:8443`; `*` for all; no address ranges',
    fallback: 'none',
  }),
  NODE_EXTRA_CA_CERTS: z
    .string()
    .refine(holdsCertificates, {
      error: 'is not a readable file of certificates. Give a file with your CA certificates (PEM).',
    })
    .optional()
    .meta({
      description:
        'file with the CA certificates of your own authorities (PEM), trusted in addition to the public ones; set it in the environment, not with `--env-file`',
      fallback: 'public authorities only',
    }),
});

type Variables = Readonly<Record<string, string | undefined>>;

/** The HTTP client prefers the lower-case names, as other programs do. */
export const withLowerCase = (values: Variables): Variables => ({
  ...values,
  HTTPS_PROXY: values['https_proxy'] ?? values['HTTPS_PROXY'],
  HTTP_PROXY: values['http_proxy'] ?? values['HTTP_PROXY'],
});

function isProxy(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && isLoginReadable(url);
}

/** A `%` in a password that was not written as `%25` throws wherever the password is needed. */
export function isLoginReadable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

function proxy() {
  return z
    .string()
    .refine(isProxy, {
      error:
        'is not the address of a proxy. Use http://proxy.example.com:3128, with user:password@ if it requires a login, and special ' +
        'characters of these percent-encoded.',
    })
    .optional();
}

const largestFileOfCertificates = 4 * 1024 * 1024;

/** Node only warns about an unusable file, and continues without the file. */
function holdsCertificates(file: string): boolean {
  const read = readSmallFile(file, largestFileOfCertificates);
  return 'bytes' in read && new TextDecoder().decode(read.bytes).includes('-----BEGIN CERTIFICATE-----');
}
