import { isAbsolute } from 'node:path';

import { z } from 'zod';

import { BellhopError } from '../../../model/errors.ts';
import { parseVerifierKey } from '../../../audit/tree/signed-note.ts';
import { isLoopback } from '../../../model/host.ts';
import { channel, listOf, oneOrMore, secretReference } from './schema-parts.ts';

const most = 8;

/** `https://`, or plain to this machine, where a proxy may listen; neither credentials nor a query. */
function isHandOutAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

const address = z.string().max(1000).refine(isHandOutAddress, {
  error: 'must be an https:// address without user, password, “?” or “#”.',
});

const publishTo = z
  .string()
  .max(1000)
  .refine((text) => isAbsolute(text) || isHandOutAddress(text), {
    error:
      'must be an https:// address without user, password, “?” or “#”, or the absolute path of a folder.',
  });

const witnessKey = z.string().superRefine((text, context) => {
  try {
    if (parseVerifierKey(text).type === 'cosignature') return;
    const message = 'must be the key of a witness; this one signs notes, not cosignatures.';
    context.addIssue({ code: 'custom', message });
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    const message = 'must be the verifier key of a witness, name+hash+base64, of an Ed25519 key.';
    context.addIssue({ code: 'custom', message });
  }
});

const witness = z.strictObject({
  url: address.describe('its address, `https://…`; `/add-checkpoint` is called below it'),
  key: witnessKey.describe('its verifier key, `name+hash+base64`'),
});

/** As above, but for what a collector is told of its input: `?sourcetype=…`. */
const collector = z
  .string()
  .max(1000)
  .refine((text) => isHandOutAddress(text.replace(/\?[^#]*$/u, '')), {
    error: 'must be an https:// address without user, password or “#”.',
  });

const forward = z.strictObject({
  url: collector.describe('its address, `https://…`; gets `POST` with events of OCSF, a JSON object a line'),
  token: secretReference.describe(
    '`secret:siem`: sent as `Authorization: Bearer …`, or as it is where it has a scheme in front, `Splunk …`',
  ),
  from: z
    .union([z.literal('now'), z.int().min(1)], { error: 'must be “now”, or the number of an entry, from 1.' })
    .default(1)
    .describe(
      'the number of the first entry that it gets, or `now`; another `url` or `from` begins anew there',
    ),
  content_type: z
    .enum(['application/x-ndjson', 'application/json'])
    .default('application/x-ndjson')
    .describe(
      'what JSON lines are called; `application/json` for collectors that take nothing else, such as Fluent Bit',
    ),
});

/** How the audit log is proved to others. */
export const auditSection = z.strictObject({
  key: oneOrMore(secretReference)
    .pipe(z.array(z.string()).max(most))
    .optional()
    .describe(
      'what signs the checkpoints of the audit log, `secret:audit-key`, or several while one follows another; left out: a key that Bellhop makes in `DATA_DIR`, with which one replica alone seals the log. Read at the start',
    ),
  channel: channel.optional().describe('the channel, `C…`, that gets a checkpoint once a day'),
  publish: oneOrMore(publishTo)
    .pipe(z.array(z.string()).max(most))
    .optional()
    .describe('where each checkpoint goes, at most one a minute: an address that takes PUT, or a folder'),
  witnesses: listOf(witness)
    .max(most)
    .optional()
    .describe('who cosigns the checkpoints, by C2SP `tlog-witness`; they learn how many entries there are'),
  forward: forward
    .optional()
    .describe(
      'the collector of a SIEM that gets every sealed entry, see [the audit log in a SIEM](audit-export.md)',
    ),
});
