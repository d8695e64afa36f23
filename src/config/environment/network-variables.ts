import { z } from 'zod';

import { isAddressOf } from '../../text/host.ts';
import { readSmallFile } from '../../program/files.ts';

/** The HTTP client and Node itself use these variables. Here the values are only checked. */
export const networkVariables = z.object({
  HTTPS_PROXY: proxy().meta({
    description:
      'proxy for https; `https_proxy` takes precedence; see [proxies](operations.md#proxies-and-certificates)',
    fallback: '`HTTP_PROXY`',
  }),
  HTTP_PROXY: proxy().meta({
    description: 'proxy for http; `http_proxy` takes precedence',
  }),
  NO_PROXY: z.string().optional().meta({
    description: 'hosts to reach without a proxy, `.internal,10.0.0.5:8443`; `*` for all; no address ranges',
  }),
  NODE_TLS_REJECT_UNAUTHORIZED: z.string().optional().meta({
    description: '`0` turns off the check of TLS certificates; production refuses it',
  }),
  NODE_EXTRA_CA_CERTS: z
    .string()
    .refine(holdsCertificates, {
      error: 'is not a readable file of certificates. Give a file with your CA certificates (PEM).',
    })
    .optional()
    .meta({
      description:
        'PEM file of CAs to trust besides the public ones; set it in the environment, not with `--env-file`',
    }),
});

type Variables = Readonly<Record<string, string | undefined>>;

/** The HTTP client prefers the lower-case names, as other programs do. */
export const withLowerCase = (values: Variables): Variables => ({
  ...values,
  HTTPS_PROXY: values['https_proxy'] ?? values['HTTPS_PROXY'],
  HTTP_PROXY: values['http_proxy'] ?? values['HTTP_PROXY'],
});

function proxy() {
  return z
    .string()
    .refine(isAddressOf('http:', 'https:'), {
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
