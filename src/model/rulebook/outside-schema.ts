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
    .describe('labels that the alert must have, `name: value` or a list of values; default: any'),
  run: z.string().min(1).max(500).describe("a command as typed, with `{target}` for the alert's target"),
  label: label.optional().describe("the button's text; default: what its command does"),
});

const paths = oneOrMore(mappingPath);
const statuses = oneOrMore(writtenValue(label));

const mapping = z.strictObject({
  title: paths.describe('path of the title, such as `items.0.title`'),
  text: paths.optional().describe('path of the text'),
  key: paths.optional().describe('path of the deduplication key; default: the title and the target'),
  status: paths.optional().describe('path of the status; default: always firing'),
  resolved: statuses
    .optional()
    .describe(
      'values that end the alert, ignoring case; default: `resolved`, `ok`, `closed`, `recovered`, `normal`, `up`. Any other value counts as firing',
    ),
  ignored: statuses.optional().describe('values that change nothing; default: `INSUFFICIENT_DATA`'),
  target: paths.optional().describe("path of the target's name, id or address"),
  link: paths.optional().describe('path of the URL of the source, `https://…` or `http://…`'),
  severity: paths.optional().describe('path of the severity'),
});

const signature = z.strictObject({
  header: headerName.describe("header with the body's HMAC-SHA256 in hexadecimal"),
  prefix: label.default('').describe('prefix in that header, such as `sha256=`'),
});

export const hook = z
  .strictObject({
    secret: secretReference.describe('`secret:name` of what the sender sends or signs with'),
    channel: channel.describe('channel, `C…`, for its alerts'),
    kind: z
      .enum(hookKinds)
      .describe('`alertmanager` (Grafana too), `pagerduty`, or `generic` with a `mapping`'),
    target_label: label
      .optional()
      .describe(
        'alert label with the name, id or address of an instance or container; if present, the only one',
      ),
    buttons: listOf(button)
      .max(maxButtons)
      .default([])
      .describe('up to five commands, as buttons below an alert'),
    mapping: mapping
      .optional()
      .describe(
        'for `generic`: paths in the body. Each can be a list; the first path with text is used, for `target` the first that names a listed target',
      ),
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
  })
  .transform(({ target_label: targetLabel, ...rest }) => ({ ...rest, targetLabel }));

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

export const forward = z
  .strictObject({
    url: collector.describe('its URL, `https://…`; gets a `POST` with OCSF events as JSON lines'),
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

export const auditSection = z.strictObject({
  key: oneOrMore(secretReference)
    .pipe(z.array(z.string()).max(most))
    .optional()
    .describe(
      '`secret:name` of the [signing key](reliability.md#the-key), or several while you replace it; read at start; default: one in `DATA_DIR`, for one replica only',
    ),
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
});

const maxAgents = 20;

export const agent = z
  .strictObject({
    token: secretReference.describe('`secret:name`, sent by the agent as `Authorization: Bearer …`'),
    channel: channel.describe('channel, `C…`, for its suggestions'),
    suggestions: z.int().min(0).max(200).default(20).describe('how many it may make in an hour, at most 200'),
    reads: z
      .int()
      .min(0)
      .max(20_000)
      .default(1000)
      .describe('how many reads it may make in an hour, at most 20000, on each replica'),
    open: z.int().min(1).max(50).default(5).describe('how many may wait for a person at once, at most 50'),
    expire_after: duration(second, 24 * hour, '1s to 24h')
      .prefault('15m')
      .describe('how long a suggestion waits for a person, `1s` to `24h`'),
  })
  .transform(({ expire_after: expireAfterMs, ...rest }) => ({ ...rest, expireAfterMs }));

export const agents = z
  .record(agentName, agent)
  .refine((all) => Object.keys(all).length <= maxAgents, { error: `has more than ${maxAgents} agents.` });
