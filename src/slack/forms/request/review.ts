import type { ModalView } from '@slack/types';

import type { Caller, Place } from '../../../model/actor.ts';
import type { Review } from '../../../model/requests.ts';
import { closeReview, reviewToClose } from '../../../request/close-review.ts';
import type { SlackContext } from '../../messages/context.ts';
import type { Click, SubmittedForm } from '../../receive/payloads.ts';
import { section } from '../../render/blocks.ts';
import { safeLine } from '../../render/escape.ts';
import { mention } from '../../render/text.ts';
import { openRequestForm, requestForm, submitText, textField } from './request-form.ts';
import type { AckForm } from '../form-ids.ts';

export const reviewForm = 'review';
const wordBlock = 'word';

/** “Close the review”: opens a form for the outcome, unless this person may not close it. */
export async function openReview(
  context: SlackContext,
  { action, body }: Click,
  caller: Caller,
): Promise<void> {
  const review = await reviewToClose(context, caller, action.value ?? '');
  await openRequestForm(context.api, body, reviewView(review, caller.place));
}

function reviewView({ requestId, openedBy, words, reason }: Review, place: Place): ModalView {
  const what = `${mention(openedBy)} ran ${safeLine(words, 300)} without approval: “${safeLine(reason, 500)}”`;
  const word = textField(wordBlock, 'Describe the outcome, for the record', { longest: 500 });
  return requestForm({
    form: reviewForm,
    requestId,
    place,
    title: 'Close the review',
    submit: 'Close it',
    blocks: [section(what), word],
  });
}

/** The word closes the review, or the form says beside it why not. The message of the review is edited after. */
export async function submitReview(context: SlackContext, form: SubmittedForm, ack: AckForm): Promise<void> {
  const beside = { block: wordBlock, failed: 'It could not be closed. Try again.' };
  await submitText(context, form, ack, beside, (caller, requestId, word) =>
    closeReview(context, caller, requestId, word),
  );
}
