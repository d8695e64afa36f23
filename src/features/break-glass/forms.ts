import { standingNow } from '../../policy/standing.ts';
import { answerCommand } from '../../slack/handle/command.ts';
import { openRequestForm, textField } from '../../slack/forms/request-form.ts';
import { readRequestForm, submitRequestForm } from '../../slack/forms/request-forms.ts';
import type { Forms, SlackContext } from '../../slack/messages/context.ts';
import type { Click, SubmittedForm } from '../../slack/receive/dispatch.ts';
import { section } from '../../slack/render/blocks.ts';
import { channelMention, code, mention, mrkdwnParts, safeLine } from '../../slack/render/text.ts';
import { breakableGlass, runWithBreakGlass } from './break-glass.ts';
import { closeReview, reviewToClose } from './close-review.ts';

const review = { form: 'review', block: 'word', failed: 'The review could not be closed. Try again.' };
const maxOverridden = 3;
const glass = { form: 'break-glass', block: 'why' };

export const forms: Forms = {
  [review.form]: submitRequestForm({ ...review, submit: closeReview }),
  [glass.form]: runBreakGlass,
};

/** @throws BellhopError if this person may not close the review */
export async function openReview(context: SlackContext, click: Click): Promise<void> {
  const { caller } = click.context;
  const { id, requester, words } = await reviewToClose(context, caller, click.action.value ?? '');
  const what = `${mention(requester)} ran ${safeLine(words, 900)} without approval.`;
  await openRequestForm(context, click, {
    form: review.form,
    requestId: id,
    title: 'Close the review',
    submit: 'Close it',
    blocks: [section(what), textField(review.block, 'Outcome, for the audit log', { longest: 500 })],
  });
}

/**
 * Opens the form of “Break glass…”, which shows what is skipped and overridden and who is notified, and asks why.
 * @throws BellhopError if this person may not use break-glass
 */
export async function openBreakGlass(context: SlackContext, click: Click): Promise<void> {
  const { caller } = click.context;
  const { request, rule, approvers, told } = await breakableGlass(context, caller, click.action.value ?? '');
  const overridden = (await standingNow(context, request)).map(
    ({ by, said }) => `*Overridden:* ${mrkdwnParts(said, 500)}. ${mention(by)} is notified once you confirm.`,
  );
  const roles = safeLine(approvers.join(' or '), 200);
  await openRequestForm(context, click, {
    form: glass.form,
    requestId: request.id,
    title: 'Break glass',
    submit: 'Next',
    blocks: [
      section(code(request.words, 300)),
      section(
        [
          `*Skipped:* approval by ${roles} (${safeLine(rule, 100)}).`,
          ...overridden.slice(0, maxOverridden),
          `*Notified:* ${channelMention(told ?? request.place.channel)}, each day until someone else closes the review.`,
          '*Waiting request:* stays open, and can be approved, until you confirm on the new card. That closes it.',
          'Nothing runs before you confirm.',
        ].join('\n'),
      ),
      textField(glass.block, "Why it can't wait for approval", { longest: 500 }),
    ],
  });
}

async function runBreakGlass(context: SlackContext, form: SubmittedForm): Promise<void> {
  const { caller, responseUrl, accept } = form.context;
  const about = readRequestForm(form, glass.block);
  const { first } = await accept();
  await form.ack({ response_action: 'clear' });
  if (!about || !first) return;
  await answerCommand(
    context,
    { caller, responseUrl },
    { run: (as) => runWithBreakGlass(context, as, about.requestId, about.text) },
  );
}
