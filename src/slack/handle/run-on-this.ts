import type { MessageShortcut } from '@slack/bolt';
import type { ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';

import { auditRejected } from '../../run/admission.ts';
import { beginForm } from '../../run/forms.ts';
import { runChoices, type RunChoices, valuesFor } from '../../run/from-message.ts';
import { actionLabelOf } from '../../command/grammar/registry.ts';
import { briefUsage } from '../../command/grammar/help.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { assertOwnWorkspace } from '../../policy/denied.ts';
import type { Entry } from '../../model/registry.ts';
import type { Recipient, SlackContext } from '../messages/context.ts';
import type { ReceivedContext, SubmittedForm } from '../receive/dispatch.ts';
import { disclaimerBlocks, plain, section } from '../render/blocks.ts';
import { code } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { enteredIn, inputBlock, option, selectOne } from '../forms/form-input.ts';
import { formMetadata, formOrigin } from '../receive/payload-schemas.ts';
import { formView } from '../forms/open-form.ts';
import { refusePrivately } from './reply.ts';
import { capitalized } from '../../text/words.ts';

export const runOnThisForm = 'run-on-this';
const commandBlock = 'command';

const choiceMetadata = formMetadata(
  formOrigin.extend({
    targets: z.array(z.string().max(150)).max(10),
    opensThread: z.boolean().optional(),
  }),
);

/** The form offers commands for the targets in the message first. */
export async function handleShortcut(
  context: SlackContext,
  { message, trigger_id: triggerId }: MessageShortcut,
  { caller, responseUrl }: ReceivedContext,
): Promise<void> {
  const opensThread = message.thread_ts === undefined || message.reply_count === 0;
  const recipient: Recipient = { caller, responseUrl, opensThread };
  try {
    await assertOwnWorkspace(context, caller.actor);
    const choices = await runChoices(context, caller, messageWords(message));
    const targets = choices.found.map(({ name }) => name);
    const metadata = choiceMetadata.write({ targets, place: caller.place, responseUrl, opensThread });
    await context.api.openView(triggerId, choiceView(choices, metadata, context.disclaimers));
  } catch (error) {
    await refusePrivately(context, recipient, error);
  }
}

const readMembers: ReadonlySet<string> = new Set([
  'text',
  'title',
  'title_link',
  'pretext',
  'fallback',
  'fields',
  'value',
  'footer',
  'url',
  'blocks',
  'attachments',
  'elements',
  'rows',
  'accessory',
]);
/** In UTF-16 units. */
const maxText = 20_000;
const maxDepth = 12;

/** By any author, one piece per line. */
export function messageWords(message: object): string {
  const pieces: string[] = [];
  let room = maxText;
  const collect = (value: unknown, depth: number): void => {
    if (room <= 0 || depth > maxDepth) return;
    if (typeof value === 'string') {
      pieces.push(value.slice(0, room));
      room -= value.length + 1;
    } else if (Array.isArray(value)) for (const item of value) collect(item, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value))
        if (readMembers.has(name)) collect(member, depth + 1);
  };
  collect(message, 0);
  return pieces.join('\n');
}

function choiceView({ found, all }: RunChoices, metadata: string, disclaimers: readonly string[]): ModalView {
  const said =
    found.length === 0
      ? 'No known instance or container in this message. Choose what to run.'
      : `Found in the message: ${found.map(({ name }) => code(name, 100)).join(', ')}.`;
  const groups = [
    ...found.map(({ name, entries }, index) => ({
      label: plain(name, limits.optionText),
      options: entries.map((entry) =>
        choice(`${sentenceCase(actionLabelOf(entry, { operation: '', input: {} }))} ${name}`, entry, index),
      ),
    })),
    {
      label: plain(found.length === 0 ? 'Commands' : 'Other commands', limits.optionText),
      options: all.map((entry) => choice(briefUsage(entry), entry)).slice(0, limits.options),
    },
  ];
  return {
    type: 'modal',
    callback_id: runOnThisForm,
    private_metadata: metadata,
    title: plain('Run on this…', limits.modalTitle),
    submit: plain('Next', limits.modalButton),
    close: plain('Cancel', limits.modalButton),
    blocks: [
      section(said),
      inputBlock(commandBlock, 'What to run', selectOne('Choose one', { option_groups: groups })),
      ...disclaimerBlocks(disclaimers),
    ],
  };
}

const sentenceCase = (words: string): string => capitalized(words).replaceAll('-', ' ');

/** The value is the operation, and for a choice of one target its number. */
const choice = (text: string, { operation }: Entry, target?: number): PlainTextOption =>
  option(text, `${target ?? ''} ${operation.name}`);

export async function submitRunOnThis(
  context: SlackContext,
  { view, ack, context: { caller, responseUrl } }: SubmittedForm,
): Promise<void> {
  const metadata = choiceMetadata.read(view);
  const chosen = enteredIn(view, commandBlock)?.selected_option?.value ?? '';
  const [target = '', operation = ''] = chosen.split(' ');
  const entry = metadata && context.registry.find(operation);
  if (!entry) return await ack();
  const name = target === '' ? undefined : metadata.targets[Number(target)];
  try {
    const values = name === undefined ? {} : valuesFor(entry, name);
    const begun = await auditRejected(context, caller, operation, () =>
      beginForm(context, caller, { entry, values, options: {} }),
    );
    const recipient: Recipient = { caller, responseUrl, opensThread: metadata.opensThread };
    await ack({ response_action: 'update', view: await formView(context, recipient, begun) });
  } catch (error) {
    const message =
      error instanceof BellhopError ? error.message : 'The form could not be opened. Try again.';
    await ack({ response_action: 'errors', errors: { [commandBlock]: message.slice(0, 300) } });
  }
}
