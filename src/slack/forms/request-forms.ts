import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';

import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { Caller } from '../../model/values/actor.ts';
import type { HeldClick } from '../../model/values/pass.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { Request } from '../../model/records/request.ts';
import { DeniedError } from '../../policy/denied.ts';
import { anyone } from '../../policy/roles.ts';
import { someNames } from '../../text/words.ts';
import { nameToType, stillToRun } from '../../model/records/whole.ts';
import { type ButtonClick, type ClickResult, handleClick } from '../../request/click.ts';
import { MayHaveRunError, requestToSettle, settleByHand } from '../../request/outcome/settle-by-hand.ts';
import { seenLines } from '../cards/card-lead.ts';
import { actionLabel, foundText } from '../cards/card-words.ts';
import type { Forms, SlackContext } from '../messages/context.ts';
import type { Click, SubmittedForm } from '../receive/dispatch.ts';
import { section } from '../render/blocks.ts';
import { code, mention, safeLine } from '../render/text.ts';
import { enteredIn, inputBlock, option, selectOne } from './form-input.ts';
import { offerLink } from './gate-link.ts';
import {
  openRequestForm,
  renderRequestForm,
  type RequestForm,
  requestMetadata,
  textField,
} from './request-form.ts';

export async function openTypeName(context: SlackContext, click: Click, request: Request): Promise<void> {
  const verb = actionLabelOf(context.registry.find(request.operation), request);
  const what = actionLabel(verb, stillToRun(request));
  await openRequestForm(context, click, {
    form: 'type-name',
    requestId: request.id,
    title: 'Type the name',
    submit: 'Run it',
    close: 'Cancel',
    blocks: [
      section(`*${safeLine(what, 300)}*\nType *${safeLine(nameToType(request), 200)}* to confirm.`),
      textField('name', 'Name'),
    ],
  });
}

/** The reason of a denial is optional. */
export async function openDenial(context: SlackContext, click: Click, request: Request): Promise<void> {
  const { id: requestId, operation, requester } = request;
  const what = actionLabel(actionLabelOf(context.registry.find(operation), request), request);
  await openRequestForm(context, click, {
    form: 'denial',
    requestId,
    title: 'Deny',
    submit: 'Deny',
    blocks: [
      section(`*${safeLine(what, 300)}*, requested by ${mention(requester)}, will not run.`),
      textField('reason', 'Why, for the requester', { optional: true, longest: 500 }),
    ],
  });
}

type NamedClick = ButtonClick & Pick<HeldClick, 'channelName'>;

const gateForms = { 'type-name': openTypeName, denial: openDenial };

/** Shows what a click needs first: a form or a link. Resolves to where the link is, unless it is on the person's screen. */
export async function showGate(
  context: SlackContext,
  asks: NamedClick,
  result: Exclude<ClickResult, { readonly kind: 'done' }>,
  click?: Click,
): Promise<string | undefined> {
  const { action } = asks;
  if (result.kind === 'form' && click) {
    await gateForms[result.gate](context, click, result.request);
    return undefined;
  }
  if (result.kind !== 'link' || (action !== 'confirm' && action !== 'approve'))
    throw new RangeError(`a gate of ${action} can't be shown here`);
  const trigger = click?.body.view?.type === 'modal' ? click.body.trigger_id : undefined;
  return offerLink(context, { ...asks, action }, result, trigger);
}

async function clickWith(context: SlackContext, asks: NamedClick): Promise<void> {
  const result = await handleClick(context, asks);
  if (result.kind !== 'done') await showGate(context, asks, result);
}

/** @throws BellhopError if this person may not settle the outcome */
export async function openSettle(context: SlackContext, click: Click): Promise<void> {
  const request = await requestToSettle(context, click.context.caller, click.action.value ?? '');
  await openRequestForm(context, click, settleForm(request));
}

const outcomes = [option('It ran', 'succeeded'), option('It did not run', 'failed')];
const outcomeBlock = 'state';

export function settleForm({ id: requestId, words, outcome }: Request): RequestForm {
  const { seen } = outcome?.search ?? {};
  const found = seen === undefined ? [] : [`${safeLine(seen, 500)}${foundText(outcome?.search)}`];
  const evidence = [...found, ...seenLines({ outcome })].map((said) => `\n${said}`).join('');
  const likely = outcomes.find(({ value }) => value === outcome?.search?.suggests);
  return {
    form: 'settle',
    requestId,
    title: 'Settle the outcome',
    submit: 'Settle it',
    blocks: [
      section(`Did ${code(words, 300)} run? Your name and reason go into the audit log.${evidence}`),
      inputBlock(
        outcomeBlock,
        'Outcome',
        selectOne('Choose one', { options: outcomes, ...(likely && { initial_option: likely }) }),
      ),
      textField('reason', 'How you know', { focus: false, longest: 500 }),
    ],
  };
}

/** Asks again before an outcome is settled as “It did not run” although a task shows that it may have run. */
const sureForm = ({ id: requestId, words, outcome }: Request, reason: string): RequestForm => ({
  form: 'settle-sure',
  requestId,
  title: 'Settle the outcome',
  submit: 'It did not run',
  blocks: [
    section(
      `*Are you sure that ${code(words, 300)} did not run?* ${safeLine(outcome?.search?.seen ?? '', 500)}`,
    ),
    textField('reason', 'How you know', { focus: false, longest: 500, initial: reason }),
  ],
});

interface Submission {
  /** The text field that shows errors. */
  readonly block: string;
  readonly failed: string;
  readonly submit: (
    context: SlackContext,
    caller: Caller,
    requestId: string,
    text: string,
    view: ViewOutput,
  ) => Promise<unknown>;
}

const outcomeStates = z.enum(['succeeded', 'failed']);
const enteredOutcome = (view: ViewOutput) =>
  outcomeStates.parse(enteredIn(view, outcomeBlock)?.selected_option?.value);

const settleFailed = 'The outcome could not be settled. Try again.';

/** By callback id. These forms do their work before they close. */
export const requestForms: Forms = {
  'type-name': submitRequestForm({
    block: 'name',
    failed: 'The request could not be confirmed. Check its card.',
    submit: (context, caller, requestId, text, view) => {
      const channelName = requestMetadata.read(view)?.channelName;
      const asks = { ...caller, requestId, action: 'confirm', channelName } as const;
      return clickWith(context, { ...asks, passes: { 'type-name': { text } } });
    },
  }),
  denial: submitRequestForm({
    block: 'reason',
    failed: 'The request could not be denied. Check its card.',
    submit: (context, caller, requestId, text) =>
      clickWith(context, { ...caller, requestId, action: 'deny', passes: { denial: { text } } }),
  }),
  settle: submitRequestForm({
    block: 'reason',
    failed: settleFailed,
    submit: (context, caller, requestId, reason, view) =>
      settleByHand(context, caller, requestId, { state: enteredOutcome(view), reason }),
  }),
  'settle-sure': submitRequestForm({
    block: 'reason',
    failed: settleFailed,
    submit: (context, caller, requestId, reason) =>
      settleByHand(context, caller, requestId, { state: 'failed', reason, isSure: true }),
  }),
};

export function submitRequestForm({ block, failed, submit }: Submission): Forms[string] {
  return async (context, form) => {
    const { view, ack } = form;
    const { caller } = form.context;
    const about = readRequestForm(form, block);
    if (!about) return await ack();
    try {
      await context.inProgress.run(caller.actor, () =>
        submit(context, caller, about.requestId, about.text, view),
      );
      await ack({ response_action: 'clear' });
    } catch (error) {
      if (error instanceof MayHaveRunError) {
        const again = renderRequestForm(sureForm(error.request, about.text), caller.place);
        return await ack({ response_action: 'update', view: again });
      }
      const message = error instanceof BellhopError ? error.message + allowedText(error) : failed;
      await ack({ response_action: 'errors', errors: { [block]: message.slice(0, 300) } });
    }
  };
}

/** An error next to a field can't mention people, so it names only roles. */
function allowedText(error: BellhopError): string {
  const named = error instanceof DeniedError ? error.whoMay.roles.filter((role) => role !== anyone) : [];
  return named.length === 0
    ? ''
    : ` Allowed: ${named.length === 1 ? 'role' : 'roles'} ${someNames(named, 10)}.`;
}

/** Undefined without Bellhop's metadata. */
export function readRequestForm(
  { view }: SubmittedForm,
  block: string,
): { readonly requestId: string; readonly text: string } | undefined {
  const metadata = requestMetadata.read(view);
  return metadata && { requestId: metadata.requestId, text: enteredIn(view, block)?.value ?? '' };
}
