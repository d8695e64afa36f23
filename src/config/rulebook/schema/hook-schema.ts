import { z } from 'zod';

import { hookKinds } from '../../../model/rulebook.ts';
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

const mostHooks = 50;
/** What a person can tell apart under one alert. */
const mostButtons = 5;

const button = z.strictObject({
  when: z
    .record(label, oneOrMore(writtenValue(label)))
    .default({})
    .describe('labels that the alert must have, `name: value` or a list of values; every alert if left out'),
  run: z
    .string()
    .min(1)
    .max(500)
    .describe('a command as it is typed, with `{target}` where the name of what the alert is about goes'),
  label: label.optional().describe('what the button says, if not what its command does'),
});

const paths = oneOrMore(mappingPath);
const statuses = oneOrMore(writtenValue(label));

const mapping = z.strictObject({
  title: paths.describe(
    'where the title stands in the body, as a path: `alert.name`, `items.0.title`; of several, here and below, the first at which there is something',
  ),
  text: paths.optional().describe('where the text stands'),
  key: paths
    .optional()
    .describe('where that stands by which one alert is known again; the title if left out'),
  status: paths.optional().describe('where the status stands; without one an alert is firing'),
  resolved: statuses
    .optional()
    .describe(
      'values of the status that end the alert, in any case; `resolved`, `ok`, `closed`, `recovered`, `normal` and `up` if left out. Any other is firing',
    ),
  ignored: statuses
    .optional()
    .describe('values of the status of which nothing is shown; `INSUFFICIENT_DATA` if left out'),
  target: paths.optional().describe('where the name, id or address of what it is about stands'),
  link: paths.optional().describe('where the link to the source stands, `https://…`'),
  severity: paths.optional().describe('where the severity stands'),
});

const signature = z.strictObject({
  header: headerName.describe('the header that has the HMAC-SHA256 of the body in hexadecimal'),
  prefix: label.default('').describe('what stands before it, such as `sha256=`'),
});

const hook = z
  .strictObject({
    secret: secretReference.describe(
      'the name of the secret that the sender shows or signs with, `secret:name`',
    ),
    channel: channel.describe('the channel, `C…`, in which its alerts are posted'),
    kind: z
      .enum(hookKinds)
      .describe('`alertmanager`, which Grafana speaks too, `pagerduty`, or `generic` with a `mapping`'),
    target_label: label
      .optional()
      .describe('the label of an alert that names an instance or container, its id or its address'),
    buttons: listOf(button)
      .max(mostButtons)
      .default([])
      .describe('commands offered under an alert; each is proposed as whoever presses it'),
    mapping: mapping.optional().describe('where in the body of a `generic` hook things stand'),
    signature: signature
      .optional()
      .describe(
        'how the bodies of a `generic` hook are signed with the secret, where the sender does not show it',
      ),
  })
  .refine(({ kind, mapping: given }) => kind !== 'generic' || given !== undefined, {
    path: ['mapping'],
    error: 'is missing: a generic hook needs to know where the title stands.',
  })
  .refine(({ kind, mapping: given }) => kind === 'generic' || given === undefined, {
    path: ['mapping'],
    error: 'has a meaning only with “kind: generic”.',
  })
  .refine(({ kind, signature: given }) => kind === 'generic' || given === undefined, {
    path: ['signature'],
    error: 'has a meaning only with “kind: generic”.',
  });

export const hooks = z
  .record(hookName, hook)
  .refine((all) => Object.keys(all).length <= mostHooks, { error: `has more than ${mostHooks} hooks.` });
