import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { LinkGate } from '../../model/gate.ts';
import type { Request } from '../../model/records/request.ts';
import type { HeldClick } from '../../model/values/pass.ts';
import { stillToRun } from '../../model/records/whole.ts';
import { capitalized } from '../../text/words.ts';
import { actionLabel } from '../cards/card-words.ts';
import type { SlackContext } from '../messages/context.ts';
import { actions, button, disclaimerBlocks, section, type Message } from '../render/blocks.ts';
import { mention, safeLine } from '../render/text.ts';
import { sendPrivately } from '../web-api/deliver.ts';

/**
 * Sends a gate's link to the person who clicked. The link does not go through `response_url`, because anyone with the signing
 * secret could forge that address.
 * @throws SlackError
 */
export async function offerLink(
  context: SlackContext,
  { actor, place, channelName, correlationId, action, passes }: Omit<HeldClick, 'requestId' | 'version'>,
  gate: LinkGate,
  request: Request,
): Promise<void> {
  const { id: requestId, version } = request;
  const held = { requestId, version, action, actor, place, channelName, passes, correlationId };
  const url = await gate.link(held);
  if (url === undefined) return;
  const message = linkMessage(context, request, { action, gate, url });
  const { user } = actor;
  await sendPrivately(context.api, { user, channel: place.channel, thread: place.thread }, message);
  context.log.info({ requestId, user }, `${gate.name} offered`);
}

interface Link {
  readonly action: HeldClick['action'];
  readonly gate: LinkGate;
  readonly url: string;
  /** A first line, in mrkdwn. */
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
  const start = `${capitalized(gate.demand.verb)} to ${action}`;
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
