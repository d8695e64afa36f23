import type { ModalView } from '@slack/types';
import { z } from 'zod';

import type { Caller, Place } from '../../model/actor.ts';
import type { Request } from '../../model/request.ts';
import { requestToSettle, settleByHand } from '../../request/outcome/settle-by-hand.ts';
import type { SlackContext } from '../messages/context.ts';
import type { Click, SubmittedForm } from '../receive/payloads.ts';
import { plain, section } from '../render/blocks.ts';
import { code, safeLine } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { enteredIn, valueAction, type AckForm } from './form-ids.ts';
import { ackOutcome, openRequestForm, readText, requestForm, textField } from './request-form.ts';

export const settleForm = 'settle';
const stateBlock = 'state';
const reasonBlock = 'reason';

/** “Settle…”: opens the form for the outcome. @throws if this person may not settle it */
export async function openSettle(context: SlackContext, click: Click, caller: Caller): Promise<void> {
  const request = await requestToSettle(context, caller, click.action.value ?? '');
  await openRequestForm(context.api, click, settleView(request, caller.place));
}

const option = (text: string, value: string) => ({ text: plain(text, limits.optionText), value });
const outcomes = [option('It happened', 'succeeded'), option('It did not happen', 'failed')];

/** The view when it is opened. */
export function settleView({ id: requestId, words, outcome }: Request, place: Place): ModalView {
  const seen = [outcome?.sighting?.title, outcome?.search?.seen].filter((said) => said !== undefined);
  const evidence = seen.map((said) => `\n${safeLine(said, 500)}`).join('');
  const likely = outcomes.find(({ value }) => value === outcome?.search?.suggests);
  return requestForm({
    form: settleForm,
    requestId,
    place,
    title: 'Settle the outcome',
    submit: 'Settle it',
    blocks: [
      section(`Did ${code(words, 300)} happen? Your name and reason go into the audit log.${evidence}`),
      {
        type: 'input',
        block_id: stateBlock,
        label: plain('Outcome', limits.inputLabel),
        element: {
          type: 'static_select',
          action_id: valueAction,
          placeholder: plain('Choose one', limits.inputLabel),
          options: [...outcomes],
          ...(likely && { initial_option: likely }),
        },
      },
      textField(reasonBlock, 'How you know', { focus: false, longest: 500 }),
    ],
  });
}

const settled = z.enum(['succeeded', 'failed']);

/** Settles the request on a person's word, or shows in the form why that was refused. */
export async function submitSettle(context: SlackContext, form: SubmittedForm, ack: AckForm): Promise<void> {
  const about = readText(form, reasonBlock);
  const state = settled.safeParse(enteredIn(form.view, stateBlock)?.selected_option?.value).data;
  if (!about || !state) return await ack();
  const beside = { block: reasonBlock, failed: 'It could not be settled. Try again.' };
  await ackOutcome(context, form, ack, beside, (caller) =>
    settleByHand(context, caller, about.requestId, { state, reason: about.text }),
  );
}
