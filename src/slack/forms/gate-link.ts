import type { ModalView } from '@slack/types';

import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { LinkGate } from '../../model/gate.ts';
import type { Request } from '../../model/records/request.ts';
import type { HeldClick } from '../../model/values/pass.ts';
import { stillToRun } from '../../model/records/whole.ts';
import { capitalized } from '../../text/words.ts';
import { actionLabel } from '../cards/card-words.ts';
import type { SlackContext } from '../messages/context.ts';
import { actions, button, disclaimerBlocks, modal, section, type Message } from '../render/blocks.ts';
import { mention, safeLine } from '../render/text.ts';
import { sendPrivately } from '../web-api/deliver.ts';

/**
 * Shows a gate's link to the person who clicked: on top of the view with the button, otherwise privately. Never through `response_url` or a
 * view's id, because anyone with the signing secret could forge those.
 * @returns what to say in that view if the link is not on top of it
 * @throws SlackError
 */
export async function offerLink(
  context: SlackContext,
  { actor, place, channelName, correlationId, action, passes }: Omit<HeldClick, 'requestId' | 'version'>,
  { gate, request }: { readonly gate: LinkGate; readonly request: Request },
  trigger?: string,
): Promise<string | undefined> {
  const { id: requestId, version } = request;
  const held = { requestId, version, action, actor, place, channelName, passes, correlationId };
  const url = await gate.link(held);
  const elsewhere = `*${startOf(gate, action)}.* The link is in your direct messages from Bellhop.`;
  if (url === undefined) return elsewhere;
  const message = linkMessage(context, request, { action, gate, url });
  const { user } = actor;
  const opened =
    trigger !== undefined &&
    (await isOpened(context, trigger, modal(startOf(gate, action), message.blocks, 'Back')));
  const { channel, thread } = trigger === undefined ? place : { channel: user, thread: undefined };
  if (!opened) await sendPrivately(context.api, { user, channel, thread }, message);
  context.log.info({ requestId, user }, `${gate.name} offered`);
  return opened ? undefined : elsewhere;
}

/** False if Slack has let the trigger expire. */
const isOpened = ({ api, log }: SlackContext, trigger: string, view: ModalView): Promise<boolean> =>
  api.openView(trigger, view, true).then(
    () => true,
    (error: unknown) => {
      log.warn({ err: error }, 'link not shown on top of its view');
      return false;
    },
  );

const startOf = ({ demand: { verb } }: LinkGate, action: string): string =>
  `${capitalized(verb)} to ${action}`;

interface Link {
  readonly action: HeldClick['action'];
  readonly gate: LinkGate;
  readonly url: string;
  /** Mrkdwn. */
  readonly lead?: string;
}

export function linkMessage(
  { registry, disclaimers }: Pick<SlackContext, 'registry' | 'disclaimers'>,
  request: Request,
  { action, gate, url, lead }: Link,
): Message {
  const change = safeLine(
    actionLabel(actionLabelOf(registry.find(request.operation), request), stillToRun(request)),
    300,
  );
  const start = startOf(gate, action);
  const asked = `${start}: *${change}*, requested by ${mention(request.requester)}.`;
  const lines = lead === undefined ? [asked] : [lead, asked];
  // The browser follows the link, so Bellhop does nothing on the click.
  const link = button({ text: start, action: gate.name, value: request.id, style: 'primary' });
  return {
    text: lines.join(' '),
    blocks: [
      section([...lines, ...gate.notes].join('\n')),
      ...actions([{ ...link, url }]),
      ...disclaimerBlocks(disclaimers),
    ],
  };
}
