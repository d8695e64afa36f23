import type { ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';

import { auditRejected } from '../../run/audit-rejected.ts';
import { beginForm } from '../../run/forms.ts';
import { runChoices, type RunChoices, valuesFor } from '../../run/run-choices.ts';
import { briefUsage } from '../../command/grammar/help.ts';
import { BellhopError } from '../../model/errors.ts';
import type { Entry } from '../../model/registry.ts';
import { callerOf, type Recipient, type SlackContext } from '../messages/context.ts';
import type { SubmittedForm } from '../receive/payloads.ts';
import { contextBlock, plain, section, noticeLines } from '../render/blocks.ts';
import { code } from '../render/escape.ts';
import { limits } from '../render/limits.ts';
import { valueAction, type AckForm } from './form-ids.ts';
import { type ChoiceFormMetadata, writeFormMetadata } from '../receive/form-metadata.ts';
import { formView } from './open-form.ts';

export const runOnThisForm = 'run-on-this';
const commandBlock = 'command';

/** “Run on this…”: offers what can be run on what a message names, then everything else. @throws BellhopError */
export async function openRunOnThis(
  context: SlackContext,
  { caller, responseUrl, opensThread }: Recipient,
  triggerId: string,
  text: string,
): Promise<void> {
  const choices = await runChoices(context, caller, text);
  if (choices.all.length === 0)
    throw new BellhopError('denied', "You can't run anything here: no rule allows it. Nothing was done.");
  const targets = choices.found.map(({ name }) => name);
  const metadata = { targets, place: caller.place, responseUrl, opensThread };
  await context.api.openView(triggerId, choiceView(choices, metadata, context.notices));
}

function choiceView(
  { found, all }: RunChoices,
  metadata: ChoiceFormMetadata,
  notices: readonly string[],
): ModalView {
  const said =
    found.length === 0
      ? 'The message names no instance and no container of the inventory, and no id. Choose what to run.'
      : `The message names ${found.map(({ name }) => code(name, 100)).join(', ')}.`;
  const groups = [
    ...found.map(({ name, entries }, index) => ({
      label: plain(name, limits.optionText),
      options: entries.map((entry) => option(`${sentenceCase(entry.actionLabel)} ${name}`, entry, index)),
    })),
    {
      label: plain(found.length === 0 ? 'Commands' : 'Other commands', limits.optionText),
      options: all.map((entry) => option(briefUsage(entry), entry)).slice(0, limits.options),
    },
  ];
  return {
    type: 'modal',
    callback_id: runOnThisForm,
    private_metadata: writeFormMetadata(metadata),
    title: plain('Run on this…', limits.modalTitle),
    submit: plain('Next', limits.modalButton),
    close: plain('Cancel', limits.modalButton),
    blocks: [
      section(said),
      {
        type: 'input',
        block_id: commandBlock,
        label: plain('What to run', limits.inputLabel),
        element: {
          type: 'static_select',
          action_id: valueAction,
          placeholder: plain('Choose one', limits.placeholder),
          option_groups: groups,
        },
      },
      ...(notices.length === 0 ? [] : [contextBlock(noticeLines(notices))]),
    ],
  };
}

const sentenceCase = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replaceAll('-', ' ');

/** Its value: the number of the target, if it is for one, and the operation. */
const option = (text: string, { operation }: Entry, target?: number): PlainTextOption => ({
  text: plain(text, limits.optionText),
  value: `${target ?? ''} ${operation.name}`.slice(0, limits.optionValue),
});

const chosen = z.object({
  [commandBlock]: z.object({
    [valueAction]: z.object({
      selected_option: z.object({ value: z.string().transform((value) => value.split(' ')) }),
    }),
  }),
});

/** The form of the chosen operation takes the place of the choice, with the target filled in. */
export async function submitRunOnThis(
  context: SlackContext,
  form: SubmittedForm,
  ack: AckForm,
): Promise<void> {
  const { metadata, responseUrl } = form;
  const state = chosen.safeParse(form.view.state?.values);
  if (metadata === undefined || !('targets' in metadata) || !state.success) return await ack();
  const [target = '', operation = ''] = state.data[commandBlock][valueAction].selected_option.value;
  const entry = context.registry.find(operation);
  if (!entry) return await ack();
  const name = target === '' ? undefined : metadata.targets[Number(target)];
  const recipient = { caller: callerOf(context, form), responseUrl, opensThread: metadata.opensThread };
  try {
    const values = name === undefined ? {} : valuesFor(entry, name);
    const begun = await auditRejected(context, recipient.caller, operation, () =>
      beginForm(context, recipient.caller, { entry, values, options: {} }),
    );
    await ack({ response_action: 'update', view: await formView(context, recipient, begun) });
  } catch (error) {
    const message =
      error instanceof BellhopError ? error.message : 'The form could not be opened. Try again.';
    await ack({ response_action: 'errors', errors: { [commandBlock]: message.slice(0, 300) } });
  }
}
