import { cardBlock } from '../../src/slack/cards/card-words.ts';
import { commandPayload } from '../../playground/workspace/dispatch/payloads.ts';
import { CHANNELS, findPerson, TEAM } from '../../playground/workspace/conversations/directory.ts';
import type { Message } from '../program/workspace-page.ts';

/** A payload as Slack posts it, less its signature. */
export type Fields = Readonly<Record<string, string>>;

interface About {
  /** A unique id. A redelivery repeats it. */
  readonly id: string;
  readonly as: string;
  readonly responseUrl: string;
}

const channel = 'C0OPS';

/** @param words the command as it is typed: `/cloud ips` */
export function commandFields({ id, as, responseUrl }: About, words: string): Fields {
  const [person, conversation] = [findPerson(as), CHANNELS.find((one) => one.id === channel)];
  if (!person || !conversation) throw new Error(`${as} or ${channel} is not in the workspace`);
  const [command = '', ...rest] = words.split(' ');
  return commandPayload({
    person,
    conversation,
    command,
    text: rest.join(' '),
    response_url: responseUrl,
    trigger_id: id,
  });
}

/** A click on a button of a card. @param request what the button carries */
export function clickFields(
  { id, as, responseUrl }: About,
  card: Message,
  action: string,
  request: string,
): Fields {
  const payload = {
    type: 'block_actions',
    team: { id: TEAM.id, domain: TEAM.domain },
    user: { id: as, team_id: TEAM.id },
    trigger_id: id,
    response_url: responseUrl,
    container: { type: 'message', message_ts: card.ts, channel_id: card.channel, is_ephemeral: false },
    channel: { id: card.channel, name: 'ops' },
    message: { ts: card.ts, text: card.text },
    actions: [
      {
        type: 'button',
        action_id: action,
        block_id: cardBlock({ id: request }),
        value: request,
        action_ts: id,
      },
    ],
  };
  return { payload: JSON.stringify(payload) };
}
