import { isAbsolute } from 'node:path';

import { z } from 'zod';

import {
  agentName,
  channel,
  duration,
  headerName,
  hour,
  hookName,
  label,
  listOf,
  mappingPath,
  oneOrMore,
  secretReference,
  writtenValue,
  isPlainAddress,
  second,
} from './schema-parts.ts';

/** The sources of alerts are Alertmanager's webhook (Grafana's too), PagerDuty's version 3, or any JSON with a mapping. */
const hookKinds = ['alertmanager', 'pagerduty', 'generic'] as const;

const maxHooks = 50;
/** People can't tell apart more buttons under one alert. */
const maxButtons = 5;

const button = z.strictObject({
  when: z
    .record(label, oneOrMore(writtenValue(label)))
    .default({})
    .describe('labels that the alert must have, `name: value` or a list of values; default: any alert'),
  run: z.string().min(1).max(500).describe("a command as typed, with `{target}` for the alert's target"),
  label: label.optional().describe("the button's text; default: what its command does"),
});

const paths = oneOrMore(mappingPath);
const statuses = oneOrMore(writtenValue(label));

const mapping = z.strictObject({
  title: paths.describe(
    'path of the title: `alert.name`, `items.0.title`. Here and below, you can also give a list of paths; the first one with a value is used',
  ),
  text: paths.optional().describe('path of the text'),
  key: paths.optional().describe('path of the deduplication key; default: the title'),
  status: paths.optional().describe('path of the status; default: always firing'),
  resolved: statuses
    .optional()
    .describe(
      'status values that end the alert, case-insensitive; default: `resolved`, `ok`, `closed`, `recovered`, `normal` and `up`. Any other value counts as firing',
    ),
  ignored: statuses.optional().describe('status values that change nothing; default: `INSUFFICIENT_DATA`'),
  target: paths.optional().describe("path of the target's name, id or address"),
  link: paths.optional().describe('path of the link to the source, `https://…`'),
  severity: paths.optional().describe('path of the severity'),
});

const signature = z.strictObject({
  header: headerName.describe("the header with the body's HMAC-SHA256 in hexadecimal"),
  prefix: label.default('').describe('the prefix in that header, such as `sha256=`'),
});

export const hook = z
  .strictObject({
    secret: secretReference.describe('`secret:name` of the secret that the sender sends or signs with'),
    channel: channel.describe('the channel, `C…`, for its alerts'),
    kind: z
      .enum(hookKinds)
      .describe('`alertmanager` (Grafana too), `pagerduty`, or `generic` with a `mapping`'),
    target_label: label
      .optional()
      .describe('the alert label with the name, id or address of an instance or container'),
    buttons: listOf(button)
      .max(maxButtons)
      .default([])
      .describe(
        'commands offered as buttons below an alert; the person who presses a button is the requester',
      ),
    mapping: mapping.optional().describe('for `generic`: paths of fields in the body'),
    signature: signature
      .optional()
      .describe('for `generic`: how bodies are signed, if the sender does not send the secret'),
  })
  .refine(({ kind, mapping: given }) => kind !== 'generic' || given !== undefined, {
    path: ['mapping'],
    error: 'is missing. A generic hook needs at least the path of the title.',
  })
  .refine(({ kind, mapping: given }) => kind === 'generic' || given === undefined, {
    path: ['mapping'],
    error: 'is only valid with “kind: generic”.',
  })
  .refine(({ kind, signature: given }) => kind === 'generic' || given === undefined, {
    path: ['signature'],
    error: 'is only valid with “kind: generic”.',
  });

export const hooks = z
  .record(hookName, hook)
  .refine((all) => Object.keys(all).length <= maxHooks, { error: `has more than ${maxHooks} hooks.` });

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

const collector = z
  .string()
  .max(1000)
  .refine((text) => isPlainAddress(text.replace(/\?[^#]*$/u, '')), {
    error: 'must be an https:// address without user, password or “#”.',
  });

export const forward = z.strictObject({
  url: collector.describe('its URL, `https://…`; gets a `POST` with OCSF events as JSON lines'),
  token: secretReference.describe(
    '`secret:name` of the token: sent as `Authorization: Bearer …`, or unchanged if it starts with a scheme, such as `Splunk …`',
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

const maxAgents = 20;

export const agent = z.strictObject({
  token: secretReference.describe(
    '`secret:name` of the secret that the agent sends as `Authorization: Bearer …`',
  ),
  channel: channel.describe('the channel, `C…`, for its suggestions'),
  suggestions: z.int().min(0).max(200).default(20).describe('how many suggestions it may make in an hour'),
  open: z.int().min(1).max(50).default(5).describe('how many of them may wait for a person at once'),
  expire_after: duration(second, 24 * hour, '1s to 24h')
    .prefault('15m')
    .describe('how long a suggestion waits for a person, `1s` to `24h`'),
});

export const agents = z
  .record(agentName, agent)
  .refine((all) => Object.keys(all).length <= maxAgents, { error: `has more than ${maxAgents} agents.` });
