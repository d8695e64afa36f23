import type { ModalView } from '@slack/types';
import { z } from 'zod';

import type { Caller, Place } from '../../../core/model/actor.ts';
import { BellhopError } from '../../../core/model/errors.ts';
import type { Request } from '../../../core/request/request.ts';
import { writeFormMetadata } from '../form-metadata.ts';
import { valueAction } from '../form-ids.ts';
import type { AckForm } from './type-name.ts';
import type { ClickPayload, FormPayload } from '../../receive/payloads.ts';
import { plain, section } from '../../render/blocks.ts';
import { safeLine } from '../../render/escape.ts';
import { limits } from '../../render/limits.ts';
import { callerOf, type SlackContext } from '../../listeners/context.ts';

export const settleForm = 'settle';
const stateBlock = 'state';
const reasonBlock = 'reason';

/** “Settle…”: opens a form for what came of it, unless this person may not say that. */
export async function openSettle(
  context: SlackContext,
  { action, body }: ClickPayload,
  caller: Caller,
): Promise<void> {
  const request = await context.bellhop.requestToSettle(caller, action.value ?? '');
  if (body.trigger_id !== undefined)
    await context.api.openView(body.trigger_id, settleView(request, caller.place));
}

const option = (text: string, value: string) => ({ text: plain(text, limits.optionText), value });

function settleView({ id, words, outcome }: Request, at: Place): ModalView {
  const seen = [outcome?.sighting?.title, outcome?.search?.seen].filter((said) => said !== undefined);
  const evidence = seen.map((said) => `\n${safeLine(said, 500)}`).join('');
  return {
    type: 'modal',
    callback_id: settleForm,
    private_metadata: writeFormMetadata({ requestId: id, place: at }),
    title: plain('Settle the outcome', limits.modalTitle),
    submit: plain('Settle it', limits.modalButton),
    close: plain('Back', limits.modalButton),
    blocks: [
      section(`What came of ${safeLine(words, 300)}? Your name and your reason are recorded.${evidence}`),
      {
        type: 'input',
        block_id: stateBlock,
        label: plain('Outcome', limits.inputLabel),
        element: {
          type: 'static_select',
          action_id: valueAction,
          placeholder: plain('Choose one', limits.inputLabel),
          options: [option('It happened', 'succeeded'), option('It did not happen', 'failed')],
        },
      },
      {
        type: 'input',
        block_id: reasonBlock,
        label: plain('How you know', limits.inputLabel),
        element: { type: 'plain_text_input', action_id: valueAction, max_length: 500 },
      },
    ],
  };
}

const entered = z.object({
  [stateBlock]: z.object({
    [valueAction]: z.object({ selected_option: z.object({ value: z.enum(['succeeded', 'failed']) }) }),
  }),
  [reasonBlock]: z.object({ [valueAction]: z.object({ value: z.string().nullish() }) }),
});

/** The word of a person settles the request, or the form says beside it why not. */
export async function settle(context: SlackContext, payload: FormPayload, ack: AckForm): Promise<void> {
  const { metadata } = payload;
  const { view } = payload.body;
  const form = entered.safeParse(view.state?.values);
  if (metadata === undefined || !('requestId' in metadata) || !form.success) return await ack();
  const state = form.data[stateBlock][valueAction].selected_option.value;
  const reason = form.data[reasonBlock][valueAction].value ?? '';
  try {
    await context.bellhop.settle(callerOf(context, payload), metadata.requestId, { state, reason });
    await ack();
  } catch (error) {
    const message = error instanceof BellhopError ? error.message : 'It could not be settled. Try again.';
    await ack({ response_action: 'errors', errors: { [reasonBlock]: message.slice(0, 300) } });
  }
}
