import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { Caller } from '../../model/actor.ts';
import type { Request } from '../../model/request.ts';
import { handleClick, nameToType } from '../../request/click.ts';
import { closeReview, reviewToClose } from '../../request/close-review.ts';
import { breakableGlass } from '../../run/break-glass.ts';
import { actionLabel } from '../cards/card-words.ts';
import type { SlackContext } from '../messages/context.ts';
import type { Click, SubmittedForm } from '../receive/payloads.ts';
import { section } from '../render/blocks.ts';
import { channelMention, code, mention, safeLine } from '../render/text.ts';
import type { AckForm } from './form-ids.ts';
import { offerSignIn } from './sign-in.ts';
import { ackOutcome, openRequestForm, readText, requestForm, textField } from './request-form.ts';

// Forms about a request with one free-text field.

/** Asks for the target's name before a request is confirmed. */
export async function openTypeName(context: SlackContext, click: Click, request: Request): Promise<void> {
  const verb = actionLabelOf(context.registry.find(request.operation), request);
  const form = requestForm({
    form: 'type-name',
    requestId: request.id,
    place: request.place,
    title: 'Type the name',
    submit: 'Run it',
    close: 'Cancel',
    blocks: [
      section(
        `Type *${safeLine(nameToType(request), 200)}* to ${safeLine(verb, 100)} ${request.rollout ? 'them one by one' : 'it'}.`,
      ),
      textField('name', 'Name'),
    ],
  });
  await openRequestForm(context.api, click, form);
}

/** Asks an approver why they deny a request. The answer is optional. */
export async function openDenial(context: SlackContext, click: Click, request: Request): Promise<void> {
  const { id: requestId, operation, target, requester } = request;
  const what = actionLabel(actionLabelOf(context.registry.find(operation), request), target);
  const form = requestForm({
    form: 'denial',
    requestId,
    place: click.place,
    title: 'Deny',
    submit: 'Deny',
    blocks: [
      section(`*${safeLine(what, 300)}*, requested by ${mention(requester)}, will not run.`),
      textField('reason', 'Why, for the requester', { optional: true, longest: 500 }),
    ],
  });
  await openRequestForm(context.api, click, form);
}

/** “Close the review”: asks for the outcome. @throws BellhopError if this person may not close it */
export async function openReview(context: SlackContext, click: Click, caller: Caller): Promise<void> {
  const { id, requester, words } = await reviewToClose(context, caller, click.action.value ?? '');
  const what = `${mention(requester)} ran ${safeLine(words, 900)} without approval.`;
  const form = requestForm({
    form: 'review',
    requestId: id,
    place: caller.place,
    title: 'Close the review',
    submit: 'Close it',
    blocks: [section(what), textField('word', 'Outcome, for the audit log', { longest: 500 })],
  });
  await openRequestForm(context.api, click, form);
}

/** “Break glass…”: shows what is skipped and who is notified, and asks why. @throws BellhopError if they may not */
export async function openBreakGlass(context: SlackContext, click: Click, caller: Caller): Promise<void> {
  const { request, rule, approvers, told } = await breakableGlass(context, caller, click.action.value ?? '');
  const roles = safeLine(approvers.join(' or '), 200);
  const form = requestForm({
    form: breakGlassForm,
    requestId: request.id,
    place: caller.place,
    title: 'Break glass',
    submit: 'Next',
    blocks: [
      section(code(request.words, 300)),
      section(
        [
          `*Skipped:* approval by ${roles} (${safeLine(rule, 100)}).`,
          `*Notified:* ${channelMention(told ?? request.place.channel)}, each day until someone else closes the review.`,
          'You confirm on a new card before anything runs.',
        ].join('\n'),
      ),
      textField(breakGlassBlock, "Why it can't wait for an approval", { longest: 500 }),
    ],
  });
  await openRequestForm(context.api, click, form);
}

/** Submitting it starts a command; the others are done before the form closes. */
export const breakGlassForm = 'break-glass';
export const breakGlassBlock = 'why';

interface TextForm {
  /** The field that shows an error. */
  readonly block: string;
  /** The text for unexpected errors. */
  readonly failed: string;
  readonly submit: (
    context: SlackContext,
    caller: Caller,
    requestId: string,
    text: string,
  ) => Promise<unknown>;
}

const textForms: Readonly<Record<string, TextForm>> = {
  'type-name': {
    block: 'name',
    failed: 'The request could not be confirmed. Check its card.',
    async submit(context, caller, requestId, typedName) {
      const result = await handleClick(context, { ...caller, requestId, action: 'confirm', typedName });
      if (result.kind === 'sign-in') await offerSignIn(context, caller, { ...result, typedName });
    },
  },
  denial: {
    block: 'reason',
    failed: 'The request could not be denied. Check its card.',
    submit: (context, caller, requestId, reason) =>
      handleClick(context, { ...caller, requestId, action: 'deny', denial: { reason } }),
  },
  review: { block: 'word', failed: 'The review could not be closed. Try again.', submit: closeReview },
};

/** Handles a submitted form, or shows the error beside its field. Closes unknown forms. */
export async function submitTextForm(
  context: SlackContext,
  form: SubmittedForm,
  ack: AckForm,
): Promise<void> {
  const { callback_id: id } = form.view;
  const known = Object.hasOwn(textForms, id) ? textForms[id] : undefined;
  const about = known && readText(form, known.block);
  if (!about) return await ack();
  await ackOutcome(context, form, ack, known, (caller) =>
    known.submit(context, caller, about.requestId, about.text),
  );
}
