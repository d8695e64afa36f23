import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';

import type { Field } from '../../model/registry.ts';
import type { FormPlan, Operation } from '../../model/operation.ts';
import type { Request } from '../../model/records/request.ts';
import { disclaimerBlocks, plain, section } from '../render/blocks.ts';
import { safeLine, slackDateTime } from '../render/text.ts';
import { formInput, inputBlock, reasonBlock, valueAction } from './form-input.ts';
import { formMetadata, formOrigin } from '../receive/payload-schemas.ts';
import { type FormRows, rowBlocks, rowsOf } from './form-rows.ts';
import { longestReason } from '../../command/grammar/refuse.ts';
import { limits } from '../render/limits.ts';
import { capitalized } from '../../text/words.ts';

/** The same for all operations. */
export const operationForm = 'ask';

const operationData = formOrigin.extend({
  operation: z.string().max(100),
  /** The earlier request whose values fill in the form. */
  source: z.string().max(64).optional(),
  /** Given with the command that opened the form. */
  breakGlass: z.string().max(500).optional(),
  /** Whether `responseUrl` belongs to a command. */
  ofCommand: z.boolean().optional(),
  /** Whether the request's card starts the thread. */
  opensThread: z.boolean().optional(),
});
export type OperationMetadata = Readonly<z.output<typeof operationData>>;
export const operationMetadata = formMetadata(operationData);

export interface FormOptions {
  readonly operation: Pick<Operation, 'name' | 'summary' | 'risk' | 'atOnce'>;
  readonly fields: readonly Field[];
  /** By default, all fields are shown and none redraws the form. */
  readonly plan?: FormPlan | undefined;
  readonly suggested?: readonly string[] | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** By default, the rows come from `values`. */
  readonly rows?: FormRows | undefined;
  readonly source?: Pick<Request, 'id' | 'createdAt'> | undefined;
  readonly reason?: string | undefined;
  /** Shown at the top, because Slack shows errors next to fields only in answer to a submission. */
  readonly errors?: readonly { readonly field: string; readonly text: string }[] | undefined;
  readonly metadata: OperationMetadata;
  readonly disclaimers: readonly string[];
}

export function renderForm(options: FormOptions): ModalView {
  const { operation, errors = [], plan, source, disclaimers } = options;
  const intro = [
    safeLine(operation.summary, 300),
    ...(plan?.note === undefined ? [] : [safeLine(plan.note, 500)]),
    ...(source === undefined ? [] : [sourceLine(source)]),
  ];
  const faults = errors.slice(0, 10).map(({ text }) => `⛔ ${safeLine(text, 250)}`);
  return {
    type: 'modal',
    callback_id: operationForm,
    private_metadata: operationMetadata.write(options.metadata),
    title: plain(`/${operation.name.replace('.', ' ')}`, limits.modalTitle),
    submit: plain(submitText(operation), limits.modalButton),
    close: plain('Cancel', limits.modalButton),
    blocks: [
      section(intro.join('\n')),
      ...(faults.length === 0 ? [] : [section(faults.join('\n'))]),
      ...fieldBlocks(options),
      ...(operation.risk === 'read' ? [] : [reasonInput(options.reason)]),
      ...disclaimerBlocks(disclaimers),
    ],
  };
}

/** For a command that takes effect at once, its verb, such as Hold. */
const submitText = ({ name, risk, atOnce }: FormOptions['operation']): string =>
  atOnce ? capitalized(name.replace(/^.*\./u, '').replaceAll('-', ' ')) : risk === 'read' ? 'Show' : 'Next';

/** Names the time, because the settings may have changed elsewhere since. */
const sourceLine = ({ id, createdAt }: NonNullable<FormOptions['source']>): string =>
  `*Filled in from ${safeLine(id, 60)}* (${slackDateTime(createdAt)}). Change what you need.`;

function fieldBlocks({ fields, plan, suggested = [], values, rows = {} }: FormOptions) {
  const shown = plan ? plannedFields(fields, plan) : fields;
  return shown.flatMap((field) => {
    const value = values[field.name];
    if (field.kind === 'rows') return rowBlocks(field, rows[field.name] ?? rowsOf(value));
    return formInput(field, {
      blockId: field.name,
      value,
      suggested: suggested.includes(field.name),
      dispatch: plan?.redraw.includes(field.name) ?? false,
    });
  });
}

const plannedFields = (fields: readonly Field[], plan: FormPlan): readonly Field[] =>
  plan.fields.flatMap((name) =>
    fields.filter((field) => field.name === name).map((field) => plannedField(field, plan)),
  );

function plannedField(field: Field, { required = [], columns = {} }: FormPlan): Field {
  const shown = columns[field.name];
  const needed = (part: Field, path: string): Field => ({
    ...part,
    required: part.required || required.includes(path),
  });
  return {
    ...needed(field, field.name),
    columns: field.columns
      .filter(({ name }) => shown?.includes(name) ?? true)
      .map((column) => needed(column, `${field.name}/${column.name}`)),
  };
}

const reasonInput = (reason = ''): InputBlock =>
  inputBlock(
    reasonBlock,
    'Reason',
    {
      type: 'plain_text_input',
      action_id: valueAction,
      max_length: longestReason,
      ...(reason !== '' && { initial_value: reason.slice(0, longestReason) }),
    },
    { hint: plain('Shown on the card and kept in the audit log.', limits.inputHint), optional: true },
  );
