import type { ModalView } from '@slack/types';
import { z } from 'zod';

import type { Caller, Place } from '../../../core/model/actor.ts';
import { BellhopError } from '../../../core/model/errors.ts';
import type { Review } from '../../../core/review/review.ts';
import { plain, section } from '../../render/blocks.ts';
import { safeLine } from '../../render/escape.ts';
import { writeFormMetadata } from '../form-metadata.ts';
import { valueAction } from '../form-ids.ts';
import { limits } from '../../render/limits.ts';
import { mention } from '../../render/text.ts';
import type { AckForm } from './type-name.ts';
import type { ClickPayload, FormPayload } from '../../receive/payloads.ts';
import { callerOf, type SlackContext } from '../../listeners/context.ts';

export const reviewForm = 'review';
const wordBlock = 'word';

/** “Close the review”: opens a form for the outcome, unless this person may not close it. */
export async function openReview(
  context: SlackContext,
  { action, body }: ClickPayload,
  caller: Caller,
): Promise<void> {
  const review = await context.bellhop.reviewToClose(caller, action.value ?? '');
  if (body.trigger_id !== undefined)
    await context.api.openView(body.trigger_id, reviewView(review, caller.place));
}

function reviewView({ requestId, openedBy, words, reason }: Review, at: Place): ModalView {
  const what = `${mention(openedBy)} ran ${safeLine(words, 300)} without approval: “${safeLine(reason, 500)}”`;
  return {
    type: 'modal',
    callback_id: reviewForm,
    private_metadata: writeFormMetadata({ requestId, place: at }),
    title: plain('Close the review', limits.modalTitle),
    submit: plain('Close it', limits.modalButton),
    close: plain('Back', limits.modalButton),
    blocks: [
      section(what),
      {
        type: 'input',
        block_id: wordBlock,
        label: plain('Describe the outcome, for the record', limits.inputLabel),
        element: { type: 'plain_text_input', action_id: valueAction, focus_on_load: true, max_length: 500 },
      },
    ],
  };
}

const typed = z.object({
  [wordBlock]: z.object({ [valueAction]: z.object({ value: z.string().nullish() }) }),
});

/** The word closes the review, or the form says beside it why not. The message of the review is edited after. */
export async function closeReview(context: SlackContext, payload: FormPayload, ack: AckForm): Promise<void> {
  const { metadata } = payload;
  const { view } = payload.body;
  const word = typed.safeParse(view.state?.values);
  if (metadata === undefined || !('requestId' in metadata) || !word.success) return await ack();
  const { requestId } = metadata;
  try {
    const said = word.data[wordBlock][valueAction].value ?? '';
    await context.bellhop.closeReview(callerOf(context, payload), requestId, said);
    await ack();
  } catch (error) {
    const message = error instanceof BellhopError ? error.message : 'It could not be closed. Try again.';
    await ack({ response_action: 'errors', errors: { [wordBlock]: message.slice(0, 300) } });
  }
}
