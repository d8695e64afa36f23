import { z } from 'zod';

import { parse } from '../../../command/grammar/grammar.ts';
import { readInput } from '../../../command/grammar/check-input.ts';
import { createRegistry } from '../../../command/grammar/registry.ts';
import { resolve } from '../../../command/resolve.ts';
import type { Registry } from '../../../model/registry.ts';
import type { Finding } from '../../../model/rulebook/finding.ts';
import {
  channel,
  duration,
  hour,
  minute,
  label,
  listOf,
  matching,
  oneOrMore,
  secretReference,
  type Written,
  writtenValue,
} from '../../../model/rulebook/schema-parts.ts';
import type { Fitting } from '../../../model/rulebook/schema.ts';
import type { Inventory } from '../../../model/rulebook/target.ts';
import { type CheckedFile, ownSection } from '../../../model/section.ts';
import { rescue } from '../../../model/values/errors.ts';
import { isButtonTemplate, placeholdersIn, splitButtonCommand } from './button-command.ts';

export const hookName = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/u,
  'must be at most 64 lower-case letters, digits and -, because it is part of the address: /hooks/<name>.',
);

const mappingPath = matching(
  /^[\w@$:-]{1,60}(?:\.[\w@$:-]{1,60}){0,9}$/u,
  'must be a dotted path, such as alert.name or items.0.title.',
);

/** Header names are compared in lower case. */
const headerName = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/u,
  'must be a header name in lower case, such as sentry-hook-signature.',
);

/** Alertmanager also stands for Grafana, which sends the same body. PagerDuty is version 3. `generic` is any JSON with a `mapping`. */
const hookKinds = ['alertmanager', 'pagerduty', 'generic'] as const;

const maxHooks = 50;
/** More buttons under one alert are hard to distinguish. */
const maxButtons = 5;

const offer = z.strictObject({
  when: z
    .record(label, oneOrMore(writtenValue(label)))
    .default({})
    .describe('labels that the alert must have, `name: value` or a list of values; default: any'),
  run: z
    .string()
    .min(1)
    .max(500)
    .describe(
      "a command as typed, with `{target}` for the alert's target, `{label.x}` for its label or `{annotation.x}` for its annotation `x`",
    ),
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
  target: paths.optional().describe("path of the target's name, id or `project/region/id`"),
  link: paths.optional().describe('path of the URL of the source, `https://…` or `http://…`'),
  severity: paths.optional().describe('path of the severity'),
});

const signature = z.strictObject({
  header: headerName.describe("header with the body's HMAC-SHA256 in hexadecimal"),
  prefix: label.default('').describe('prefix in that header, such as `sha256=`'),
});

const hook = z
  .strictObject({
    secret: secretReference.describe('`secret:name` that the sender sends or signs with'),
    channel: channel.describe('channel, `C…`, for its alerts'),
    kind: z
      .enum(hookKinds)
      .describe('`alertmanager` (Grafana too), `pagerduty`, or `generic` with a `mapping`'),
    target_label: label
      .optional()
      .describe(
        "alert label with the target's name, id or `project/region/id`; other labels count only if this one is missing",
      ),
    buttons: listOf(offer)
      .max(maxButtons)
      .default([])
      .describe('up to five commands, as buttons below an alert'),
    reads: listOf(z.string().min(1).max(500))
      .max(2)
      .default([])
      .describe(
        'up to two reads, such as `/cloud show {target}`, run for each new group and posted in its thread; a rule with `hooks` has to allow them',
      ),
    own_for: duration(10 * minute, 24 * hour, '10m to 24h')
      .prefault('4h')
      .describe('how long an alert belongs to the person who pressed *I’m on it*, `10m` to `24h`'),
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
  .transform(({ target_label: targetLabel, own_for: ownForMs, ...rest }) => ({
    ...rest,
    targetLabel,
    ownForMs,
  }));

const hooks = z
  .record(hookName, hook)
  .refine((all) => Object.keys(all).length <= maxHooks, { error: `has more than ${maxHooks} hooks.` });

/** A source of alerts, received at `POST /hooks/<name>`. */
export type Hook = Written<typeof hook>;
export type HookButton = Hook['buttons'][number];
export type HookMapping = NonNullable<Hook['mapping']>;
/** The header with the HMAC-SHA256 of a body in hexadecimal, after a prefix. */
export type HookSignature = NonNullable<Hook['signature']>;
export type Hooks = Readonly<Record<string, Hook>>;

export const hooksSection = ownSection('hooks', {
  within: 'file',
  after: 'announce',
  keys: {
    hooks: hooks
      .default({})
      .describe('[alert sources](alerts.md), at most 50; each posts to `POST /hooks/<name>`'),
  },
  value: (read): Hooks => read.hooks,
  mistakes: (read, checked) => buttonMistakes(read.hooks, checked),
  secrets: (listed) =>
    Object.entries(listed).map(([name, { secret }]) => ({
      path: ['hooks', name, 'secret'],
      reference: secret,
      without: 'every alert is rejected',
      essential: true,
    })),
});

/** A button runs a whole command, so invalid commands are rejected here, before anyone presses it. */
function* buttonMistakes(
  listed: Fitting<Hooks> = {},
  { file: { extensions = [] }, inventory, operations }: CheckedFile,
): Generator<Finding> {
  if (Object.keys(listed).length === 0) return;
  const registry = createRegistry(
    operations,
    extensions.flatMap((extension) => extension ?? []),
  );
  for (const [name, one] of Object.entries(listed))
    for (const [index, button] of (one?.buttons ?? []).entries()) {
      const problem = button?.run ? commandProblem(button.run, registry, inventory) : undefined;
      if (problem !== undefined) yield { path: ['hooks', name, 'buttons', index, 'run'], text: problem };
    }
  for (const [name, one] of Object.entries(listed))
    for (const [index, run] of (one?.reads ?? []).entries()) {
      const problem = run && commandProblem(run, registry, inventory, true);
      if (problem) yield { path: ['hooks', name, 'reads', index], text: problem };
    }
}

function commandProblem(
  run: string,
  registry: Registry,
  inventory: Inventory,
  readOnly = false,
): string | undefined {
  if (!isButtonTemplate(run))
    return 'must be a command such as /cloud reboot {target}. {target}, {label.x} and {annotation.x} must be separate words after the operation.';
  const names = placeholdersIn(run);
  const values = new Map(names.map((name) => [name, 'value']));
  values.set('target', Object.keys(inventory.instances)[0] ?? 'target');
  const { area, text } = splitButtonCommand(run, values);
  // Labels and annotations are known only when an alert arrives, so their values can't be checked yet.
  const isOpen = names.some((name) => name !== 'target');
  return rescue(
    () => {
      const parsed = parse(registry, area, text);
      if (parsed.kind !== 'command')
        return 'is not a complete command. A button has no form, so add all required inputs.';
      const { risk, atOnce } = parsed.entry.operation;
      if (readOnly && (risk !== 'read' || atOnce))
        return 'must be a read. A person decides about changes, with a button.';
      if (names.length === 0) resolve(parsed, inventory);
      else if (!isOpen) readInput(parsed.entry, parsed.values);
      return undefined;
    },
    ({ message }) => message,
  );
}
