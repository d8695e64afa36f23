import type { ModalView } from '@slack/types';
import { z } from 'zod';

import type { BreakableGlass } from '../../../core/command/break-glass.ts';
import type { CommandResult } from '../../../core/command/run-command.ts';
import type { Caller, Place } from '../../../core/model/actor.ts';
import { callerOf, type SlackContext } from '../../listeners/context.ts';
import type { AcceptedDelivery } from '../../receive/inbox.ts';
import type { ClickPayload, FormPayload } from '../../receive/payloads.ts';
import { plain, section } from '../../render/blocks.ts';
import { code, safeLine } from '../../render/escape.ts';
import { limits } from '../../render/limits.ts';
import { channelMention } from '../../render/text.ts';
import { valueAction } from '../form-ids.ts';
import { writeFormMetadata } from '../form-metadata.ts';
import type { AckForm } from './type-name.ts';

export const breakGlassForm = 'break-glass';
const whyBlock = 'why';

/** “Break glass…”: says what is skipped and who is told, and asks why. @throws BellhopError where they may not */
export async function openBreakGlass(
  context: SlackContext,
  { action, body }: ClickPayload,
  caller: Caller,
): Promise<void> {
  const glass = await context.bellhop.breakableGlass(caller, action.value ?? '');
  if (body.trigger_id !== undefined)
    await context.api.openView(body.trigger_id, breakGlassView(glass, caller.place));
}

function breakGlassView({ request, rule, approvers, told }: BreakableGlass, place: Place): ModalView {
  const roles = safeLine(approvers.join(' or '), 200);
  const channel = channelMention(told ?? request.place.channel);
  return {
    type: 'modal',
    callback_id: breakGlassForm,
    private_metadata: writeFormMetadata({ requestId: request.id, place }),
    title: plain('Break glass', limits.modalTitle),
    submit: plain('Next', limits.modalButton),
    close: plain('Back', limits.modalButton),
    blocks: [
      section(code(request.words, 300)),
      section(
        [
          `*Skipped:* approval by ${roles} (${safeLine(rule, 100)}).`,
          `*Told:* ${channel}, again each day until another person closes the review.`,
          'You confirm it on a new card before anything runs.',
        ].join('\n'),
      ),
      {
        type: 'input',
        block_id: whyBlock,
        label: plain('Why it cannot wait for an approval', limits.inputLabel),
        element: { type: 'plain_text_input', action_id: valueAction, focus_on_load: true, max_length: 500 },
      },
    ],
  };
}

const typed = z.object({
  [whyBlock]: z.object({ [valueAction]: z.object({ value: z.string().nullish() }) }),
});

/** The reason breaks the glass. Resolves to the new request, to be shown. @throws BellhopError */
export async function submitBreakGlass(
  context: SlackContext,
  payload: FormPayload,
  accept: () => Promise<AcceptedDelivery>,
  ack: AckForm,
): Promise<CommandResult | undefined> {
  const { metadata } = payload;
  const why = typed.safeParse(payload.body.view.state?.values);
  const accepted = await accept();
  await ack();
  if (metadata === undefined || !('requestId' in metadata) || !why.success || !accepted.first)
    return undefined;
  const reason = why.data[whyBlock][valueAction].value ?? '';
  return context.bellhop.breakGlass(callerOf(context, payload, accepted), metadata.requestId, reason);
}
