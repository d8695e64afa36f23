import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';

import type { Place } from '../../model/values/actor.ts';
import type { SlackContext } from '../messages/context.ts';
import type { Click } from '../receive/dispatch.ts';
import { formMetadata, formOrigin } from '../receive/payload-schemas.ts';
import { plain } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { inputBlock, valueAction } from './form-input.ts';

export const requestMetadata = formMetadata(
  formOrigin.extend({ requestId: z.string().max(64), channelName: z.string().max(255).optional() }),
);

/** Slack sends no channel name with a click in a view, so the view's metadata has it. */
export const channelNameOf = ({ body: { channel, view } }: Click): string | undefined =>
  channel?.name ?? (view && requestMetadata.read(view)?.channelName);

export interface RequestForm {
  readonly form: string;
  readonly requestId: string;
  readonly title: string;
  readonly submit: string;
  readonly close?: string | undefined;
  readonly blocks: ModalView['blocks'];
}

export const renderRequestForm = (
  { form, requestId, blocks, ...texts }: RequestForm,
  place: Place,
  channelName?: string,
): ModalView => ({
  type: 'modal',
  callback_id: form,
  private_metadata: requestMetadata.write({ requestId, place, channelName }),
  title: plain(texts.title, limits.modalTitle),
  submit: plain(texts.submit, limits.modalButton),
  close: plain(texts.close ?? 'Back', limits.modalButton),
  blocks,
});

/** If the button is in a modal, the form opens on top of it. */
export const openRequestForm = ({ api }: SlackContext, click: Click, form: RequestForm): Promise<unknown> => {
  const { body, context } = click;
  const view = renderRequestForm(form, context.caller.place, channelNameOf(click));
  return api.openView(body.trigger_id, view, body.view?.type === 'modal');
};

interface TextFieldOptions {
  readonly optional?: boolean | undefined;
  readonly initial?: string | undefined;
  readonly focus?: boolean | undefined;
  /** In characters. */
  readonly longest?: number | undefined;
}

export const textField = (
  block: string,
  label: string,
  { optional = false, focus = true, longest = limits.inputLength, initial }: TextFieldOptions = {},
): InputBlock => {
  const bounds = {
    focus_on_load: focus,
    max_length: longest,
    ...(initial !== undefined && { initial_value: initial }),
  };
  return inputBlock(
    block,
    label,
    { type: 'plain_text_input', action_id: valueAction, ...bounds },
    { optional },
  );
};
