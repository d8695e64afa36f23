import { isAbsolute } from 'node:path';

import { z } from 'zod';

import { channel, isPlainAddress, listOf, oneOrMore, secretReference } from './schema-parts.ts';

const most = 8;

const address = z.string().max(1000).refine(isPlainAddress, {
  error: 'must be an https:// address without user, password, “?” or “#”.',
});

const publishTo = z
  .string()
  .max(1000)
  .refine((text) => isAbsolute(text) || isPlainAddress(text), {
    error:
      'must be an https:// address without user, password, “?” or “#”, or the absolute path of a folder.',
  });

const witness = z.strictObject({
  url: address.describe('its URL, `https://…`, without `/add-checkpoint`'),
  key: z.string().describe('its verifier key, `name+hash+base64`'),
});

/** The same, but with a query for the collector: `?sourcetype=…`. */
const collector = z
  .string()
  .max(1000)
  .refine((text) => isPlainAddress(text.replace(/\?[^#]*$/u, '')), {
    error: 'must be an https:// address without user, password or “#”.',
  });

export const forward = z.strictObject({
  url: collector.describe('its URL, `https://…`; gets a `POST` with OCSF events as JSON lines'),
  token: secretReference.describe(
    '`secret:siem`: sent as `Authorization: Bearer …`, or unchanged with a scheme in front, `Splunk …`',
  ),
  from: z
    .union([z.literal('now'), z.int().min(1)], { error: 'must be “now”, or the number of an entry, from 1.' })
    .default(1)
    .describe('the number of the first entry to send, or `now`; a new `url` or `from` starts over'),
  content_type: z
    .enum(['application/x-ndjson', 'application/json'])
    .default('application/x-ndjson')
    .describe(
      'content type of JSON lines; `application/json` for collectors that need it, such as Fluent Bit',
    ),
});

/** Settings for proving the audit log to others. */
export const auditSection = z.strictObject({
  key: oneOrMore(secretReference)
    .pipe(z.array(z.string()).max(most))
    .optional()
    .describe(
      "the key that signs the audit log's checkpoints, `secret:audit-key`, or several while a key is replaced; default: one that Bellhop creates in `DATA_DIR`, with which only one replica can seal the log. Read at start",
    ),
  channel: channel.optional().describe('the channel, `C…`, that gets a checkpoint once a day'),
  publish: oneOrMore(publishTo)
    .pipe(z.array(z.string()).max(most))
    .default([])
    .describe('where checkpoints go, at most one a minute: a URL that accepts PUT, or a folder'),
  witnesses: listOf(witness)
    .max(most)
    .default([])
    .describe(
      'witnesses that cosign the checkpoints (C2SP `tlog-witness`); they learn the number of entries',
    ),
  forward: forward
    .optional()
    .describe(
      'the SIEM collector that gets every sealed entry; see [the audit log in a SIEM](audit-export.md)',
    ),
});
