import type { ModalView } from '@slack/types';
import { z } from 'zod';

import { breakableGlass, breakGlass, type BreakableGlass } from '../../../run/break-glass.ts';
import type { CommandResult } from '../../../run/run-command.ts';
import type { Caller, Place } from '../../../model/actor.ts';
import { callerOf, type SlackContext } from '../../messages/context.ts';
import type { AcceptedDelivery } from '../../receive/inbox.ts';
import type { Click, SubmittedForm } from '../../receive/payloads.ts';
import { section } from '../../render/blocks.ts';
import { code, safeLine } from '../../render/escape.ts';
import { channelMention } from '../../render/text.ts';
import { enteredText, openRequestForm, readRequestForm, requestForm, textField } from './request-form.ts';
import type { AckForm } from '../form-ids.ts';

export const breakGlassForm = 'break-glass';
const whyBlock = 'why';

/** “Break glass…”: says what is skipped and who is told, and asks why. @throws BellhopError where they may not */
export async function openBreakGlass(
  context: SlackContext,
  { action, body }: Click,
  caller: Caller,
): Promise<void> {
  const glass = await breakableGlass(context, caller, action.value ?? '');
  await openRequestForm(context.api, body, breakGlassView(glass, caller.place));
}

function breakGlassView({ request, rule, approvers, told }: BreakableGlass, place: Place): ModalView {
  const roles = safeLine(approvers.join(' or '), 200);
  const channel = channelMention(told ?? request.place.channel);
  return requestForm({
    form: breakGlassForm,
    requestId: request.id,
    place,
    title: 'Break glass',
    submit: 'Next',
    blocks: [
      section(code(request.words, 300)),
      section(
        [
          `*Skipped:* approval by ${roles} (${safeLine(rule, 100)}).`,
          `*Told:* ${channel}, again each day until another person closes the review.`,
          'You confirm it on a new card before anything runs.',
        ].join('\n'),
      ),
      textField(whyBlock, 'Why it cannot wait for an approval', { longest: 500 }),
    ],
  });
}

const fields = z.object({ [whyBlock]: enteredText });

/** The reason breaks the glass. Resolves to the new request, to be shown. @throws BellhopError */
export async function submitBreakGlass(
  context: SlackContext,
  form: SubmittedForm,
  accept: () => Promise<AcceptedDelivery>,
  ack: AckForm,
): Promise<CommandResult | undefined> {
  const about = readRequestForm(form, fields);
  const accepted = await accept();
  await ack({ response_action: 'clear' });
  if (!about || !accepted.first) return undefined;
  const caller = callerOf(context, form, accepted);
  return context.inProgress.run(caller.actor, () =>
    breakGlass(context, caller, about.requestId, about.entered[whyBlock]),
  );
}
