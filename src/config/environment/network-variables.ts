import { z } from 'zod';

import { readSmallFile } from '../../program/files.ts';

/** The HTTP client and Node itself read these; here they are checked. */
export const networkVariables = z.object({
  HTTPS_PROXY: proxy().meta({
    description:
      'proxy for https, such as `http://user:password@proxy.example.com:3128`; never for this machine or PostgreSQL',
    fallback: '`HTTP_PROXY`',
  }),
  HTTP_PROXY: proxy().meta({ description: 'proxy for http', fallback: 'none' }),
  NO_PROXY: z.string().optional().meta({
    description: 'hosts that are reached without a proxy, such as `.internal,10.0.0.5:8443`; `*` for all',
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
        'file with the CA certificates of your own authorities (PEM), trusted beside the public ones by every connection; a real variable, not one of `--env-file`',
      fallback: 'public authorities only',
    }),
});

function isProxy(text: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
}

function proxy() {
  return z
    .string()
    .refine(isProxy, {
      error:
        'is not the address of a proxy. Use http://proxy.example.com:3128, with user:password@ if it asks.',
    })
    .optional();
}

const largestFileOfCertificates = 4 * 1024 * 1024;

/** Node only warns about an unusable file, and continues without it. */
function holdsCertificates(file: string): boolean {
  const read = readSmallFile(file, largestFileOfCertificates);
  return 'bytes' in read && new TextDecoder().decode(read.bytes).includes('-----BEGIN CERTIFICATE-----');
}
