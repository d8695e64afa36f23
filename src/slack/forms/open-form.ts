import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';

import type { CommandResult } from '../../run/run-command.ts';
import { planOf, sourceOf, type FieldFault } from '../../run/forms.ts';
import { usage } from '../../command/grammar/help.ts';
import type { Caller } from '../../model/values/actor.ts';
import { badInput } from '../../model/values/errors.ts';
import type { Entry } from '../../model/registry.ts';
import type { Request } from '../../model/records/request.ts';
import { targetsOfKind } from '../../model/rulebook/target.ts';
import type { Recipient, SlackContext } from '../messages/context.ts';
import type { Click } from '../receive/dispatch.ts';
import { changedRows, fieldOfBlock } from './form-rows.ts';
import { type EnteredForm, parseForm } from './parse-form.ts';
import { type FormOptions, type OperationMetadata, operationMetadata, renderForm } from './render-form.ts';
import { isRefusal } from '../web-api/slack-error.ts';

type BegunForm = Extract<CommandResult, { kind: 'form' }>;

/**
 * Opens an operation's form with the values typed so far.
 * @throws BellhopError with the command to type instead, if Slack does not open the form
 */
export async function openForm(
  context: SlackContext,
  recipient: Recipient,
  triggerId: string | undefined,
  form: BegunForm,
): Promise<void> {
  const { entry } = form;
  try {
    if (triggerId === undefined) throw new Error('no trigger to open a form with');
    await context.api.openView(triggerId, await formView(context, recipient, form));
  } catch (error) {
    const { correlationId } = recipient.caller;
    context.log.warn({ err: error, correlationId }, 'a form could not be opened');
    const typed =
      entry.operation.formOnly === true
        ? 'Try again in a moment.'
        : `Type the full command instead: ${usage(entry)}`;
    throw badInput(`The form could not be opened. ${typed}`, { cause: error });
  }
}

export async function formView(
  context: SlackContext,
  { caller, responseUrl, ofCommand, opensThread }: Recipient,
  { entry, values, options, source }: BegunForm,
): Promise<ModalView> {
  const metadata = {
    operation: entry.operation.name,
    place: caller.place,
    source: source?.id,
    breakGlass: options.breakGlass,
    responseUrl,
    ofCommand,
    opensThread,
  };
  return drawForm(context, caller, entry, { values, source, reason: options.reason, metadata });
}

export async function redrawForm(
  context: SlackContext,
  { action, body: { view }, context: { caller } }: Click,
): Promise<void> {
  const metadata = operationMetadata.read(view);
  const entry = metadata && context.registry.find(metadata.operation);
  if (!view || !entry) return;
  const entered = parseForm(view.state, entry.fields);
  const rows = changedRows(entered.rows, action.action_id, action.value ?? '');
  const redrawn = await formAgain(context, caller, { view, metadata, entry, entered: { ...entered, rows } });
  try {
    await context.api.updateView(view.id, view.hash, redrawn);
  } catch (error) {
    // The form was redrawn for a later change, or submitted, so nothing is lost.
    if (!isRefusal(error, 'hash_conflict')) throw error;
  }
}

interface OpenForm {
  readonly view: ViewOutput;
  readonly metadata: OperationMetadata;
  readonly entry: Entry;
  readonly entered: EnteredForm;
  readonly errors?: readonly FieldFault[] | undefined;
}

export async function formAgain(
  context: SlackContext,
  caller: Caller,
  { view, metadata, entry, entered, errors = [] }: OpenForm,
): Promise<ModalView> {
  const source = await sourceFor(context, caller, entry, metadata);
  const values = { ...withoutShown(source?.input, view.blocks), ...entered.values };
  const { rows, reason } = entered;
  return drawForm(context, caller, entry, { values, rows, source, reason, errors, metadata });
}

const drawForm = async (
  context: SlackContext,
  caller: Caller,
  entry: Entry,
  form: Pick<FormOptions, 'values' | 'rows' | 'source' | 'reason' | 'errors' | 'metadata'>,
): Promise<ModalView> =>
  renderForm({
    ...form,
    operation: entry.operation,
    fields: entry.fields,
    plan: await planOf(context, caller, entry, form.values),
    suggested: suggestedFields(context, entry),
    disclaimers: context.disclaimers,
  });

/** Undefined also if the earlier request can't be read now. */
async function sourceFor(
  context: SlackContext,
  caller: Caller,
  entry: Entry,
  { place, source }: OperationMetadata,
): Promise<Request | undefined> {
  if (source === undefined) return undefined;
  try {
    return await sourceOf(context, { ...caller, place }, entry, source);
  } catch (error) {
    context.log.warn(
      { err: error, correlationId: caller.correlationId },
      'form continues without its source',
    );
    return undefined;
  }
}

/** The earlier request's values, except for shown fields. An emptied field must stay empty. */
function withoutShown(
  input: Readonly<Record<string, unknown>> | undefined,
  blocks: readonly { readonly block_id?: string | undefined }[],
): Readonly<Record<string, unknown>> {
  const shown = new Set(blocks.map(({ block_id: id = '' }) => fieldOfBlock(id)));
  return Object.fromEntries(Object.entries(input ?? {}).filter(([field]) => !shown.has(field)));
}

function suggestedFields(
  { registry, rulebook }: SlackContext,
  { fields, operation }: Entry,
): readonly string[] {
  const { inventory } = rulebook();
  const { lookUp } = operation;
  const lookedUp = lookUp && registry.find(lookUp.listedBy) ? lookUp.field : undefined;
  return fields
    .filter(
      ({ name, target }) =>
        name === lookedUp ||
        (target !== undefined && Object.keys(targetsOfKind(inventory, target)).length > 0),
    )
    .map(({ name }) => name);
}
