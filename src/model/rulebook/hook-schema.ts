import { z } from 'zod';

import {
  channel,
  headerName,
  hookName,
  label,
  listOf,
  mappingPath,
  oneOrMore,
  secretReference,
  writtenValue,
} from './schema-parts.ts';

/** What posts alerts to Bellhop: Alertmanager's webhook (Grafana's too), PagerDuty's version 3, or any JSON with a mapping. */
const hookKinds = ['alertmanager', 'pagerduty', 'generic'] as const;

const mostHooks = 50;
/** Most distinguishable buttons under one alert. */
const mostButtons = 5;

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
    'path of the title: `alert.name`, `items.0.title`. Here and below, a list of paths uses the first one with a value',
  ),
  text: paths.optional().describe('path of the text'),
  key: paths.optional().describe('path of the deduplication key; default: the title'),
  status: paths.optional().describe('path of the status; default: always firing'),
  resolved: statuses
    .optional()
    .describe(
      'status values that end the alert, case-insensitive; default: `resolved`, `ok`, `closed`, `recovered`, `normal` and `up`. Any other value is firing',
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
      .max(mostButtons)
      .default([])
      .describe('commands offered below an alert, proposed as the person who presses the button'),
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
  .refine((all) => Object.keys(all).length <= mostHooks, { error: `has more than ${mostHooks} hooks.` });
