import { isAbsolute } from 'node:path';

import { z } from 'zod';

import type { Finding } from '../../model/rulebook/finding.ts';
import {
  channel,
  isPlainAddress,
  listOf,
  oneOrMore,
  secretReference,
  type Written,
} from '../../model/rulebook/schema-parts.ts';
import type { Fitting } from '../../model/rulebook/schema.ts';
import { ownSection } from '../../model/section.ts';
import { rescue } from '../../model/values/errors.ts';
import { parseVerifierKey } from '../../audit/tree/signed-note.ts';

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

const collectorUrl = z
  .string()
  .max(1000)
  .refine((text) => isPlainAddress(text.replace(/\?[^#]*$/u, '')), {
    error: 'must be an https:// address without user, password or “#”.',
  });

const forward = z
  .strictObject({
    url: collectorUrl.describe('its URL, `https://…`; gets a `POST` with OCSF events as JSON lines'),
    token: secretReference.describe(
      '`secret:name`, sent as `Authorization: Bearer …`, or unchanged if it starts with a scheme, such as `Splunk …`',
    ),
    from: z
      .union([z.literal('now'), z.int().min(1)], {
        error: 'must be “now”, or the number of an entry, from 1.',
      })
      .default(1)
      .describe('number of the first entry to send, or `now`; a new `url` or `from` starts over'),
    content_type: z
      .enum(['application/x-ndjson', 'application/json'])
      .default('application/x-ndjson')
      .describe('content type; `application/json` for collectors such as Fluent Bit'),
  })
  .transform(({ content_type: contentType, ...rest }) => ({ ...rest, contentType }));

const keys = {
  channel: channel.optional().describe('channel, `C…`, that gets a checkpoint once a day'),
  publish: oneOrMore(publishTo)
    .pipe(z.array(z.string()).max(most))
    .default([])
    .describe('URLs that accept PUT, or folders, at most 8; each gets at most one checkpoint a minute'),
  witnesses: listOf(witness)
    .max(most)
    .default([])
    .describe('witnesses that cosign checkpoints (C2SP `tlog-witness`), at most 8'),
  forward: forward.optional().describe('the [SIEM collector](audit-export.md) that gets every sealed entry'),
};

export type ForwardSettings = Written<typeof forward>;
export type PublicationSettings = Written<z.ZodObject<typeof keys>>;

export const publicationSection = ownSection('publication', {
  within: 'audit',
  after: 'key',
  keys,
  value: ({ channel: to, publish, witnesses, forward: collector }): PublicationSettings => ({
    channel: to,
    publish,
    witnesses,
    forward: collector,
  }),
  mistakes: (read) => witnessMistakes(read.witnesses),
  secrets: ({ forward: collector }) =>
    collector
      ? [
          {
            path: ['audit', 'forward', 'token'],
            reference: collector.token,
            without: 'the audit log is not forwarded',
          },
        ]
      : [],
});

function* witnessMistakes(listed: Fitting<PublicationSettings['witnesses']> = []): Generator<Finding> {
  for (const [index, { key } = {}] of listed.entries()) {
    if (key === undefined) continue;
    const path = ['audit', 'witnesses', index, 'key'];
    const read = rescue(() => parseVerifierKey(key));
    if (!read) yield { path, text: 'must be the verifier key of a witness: name+hash+base64, Ed25519.' };
    else if (read.type !== 'cosignature')
      yield { path, text: 'must be the key of a witness. This one signs notes, not cosignatures.' };
  }
}
