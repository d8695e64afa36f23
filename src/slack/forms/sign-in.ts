import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { Caller } from '../../model/values/actor.ts';
import type { Request } from '../../model/records/request.ts';
import type { HeldClick } from '../../model/values/step-up.ts';
import { stillToRun } from '../../request/steps/rollout.ts';
import { actionLabel } from '../cards/card-words.ts';
import type { SlackContext } from '../messages/context.ts';
import { actions, button, disclaimerBlocks, section, type Message } from '../render/blocks.ts';
import { mention, safeLine } from '../render/text.ts';
import { sendPrivately } from '../web-api/deliver.ts';

/** The action id of the link. The browser follows the link, so Bellhop does nothing on the click. */
export const signInAction = 'sign-in';

type Held = Pick<HeldClick, 'action' | 'typedName'> & { readonly request: Request };

/**
 * Sends a sign-in link to the person who clicked. The link does not go through `response_url`, because anyone with the signing
 * secret could forge that address.
 * @throws SlackError
 */
export async function offerSignIn(
  context: SlackContext,
  { actor, place, correlationId }: Pick<Caller, 'actor' | 'place' | 'correlationId'>,
  { request, action, typedName }: Held,
): Promise<void> {
  const { id: requestId, version } = request;
  const held = { requestId, version, action, actor, place, typedName, correlationId };
  const message = signInMessage(context, request, action, await context.signInLink(held));
  const { user } = actor;
  await sendPrivately(context.api, { user, channel: place.channel, thread: place.thread }, message);
  context.log.info({ requestId, user }, 'sign-in offered');
}

function signInMessage(
  { registry, disclaimers }: Pick<SlackContext, 'registry' | 'disclaimers'>,
  request: Request,
  action: HeldClick['action'],
  url: string,
): Message {
  const change = safeLine(
    actionLabel(actionLabelOf(registry.find(request.operation), request), stillToRun(request).target),
    300,
  );
  const text = `Sign in to ${action}: *${change}*, requested by ${mention(request.requester)}.`;
  const lines = [
    text,
    'The link works once, for two minutes, and only for you.',
    "_Didn't press the button? Don't sign in, and tell your security team._",
  ];
  const link = button({
    text: `Sign in to ${action}`,
    action: signInAction,
    value: request.id,
    style: 'primary',
  });
  return {
    text,
    blocks: [section(lines.join('\n')), ...actions([{ ...link, url }]), ...disclaimerBlocks(disclaimers)],
  };
}
