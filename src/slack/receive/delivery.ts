import { createHash } from 'node:crypto';

import type { Actor } from '../../core/model/actor.ts';
import type { Waiting } from '../../core/model/waiting.ts';
import type { BlockActions, Payload, SlashCommand } from './payloads.ts';

/** A payload as it is known again, and who waits for what comes of it. */
export interface DeliveryRecord {
  /** Of what a redelivery repeats; only its hash is stored, since people type all sorts of things. */
  readonly key: string;
  readonly kind: string;
  /** Undefined where nobody waits. */
  readonly waiting?: Omit<Waiting, 'at'>;
}

export function deliveryKey(parts: readonly (string | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** What is remembered of a command or a click before it is acknowledged; undefined for all else. */
export function deliveryOf({
  kind,
  body,
}: Extract<Payload, { readonly body: unknown }>): DeliveryRecord | undefined {
  if (kind === 'command') return commandDelivery(body);
  if (kind === 'block_actions') return clickDelivery(body);
  return undefined;
}

export function commandDelivery(command: SlashCommand): DeliveryRecord {
  const { team_id: team, user_id: user, channel_id: channel, trigger_id: trigger } = command;
  return {
    kind: 'command',
    key: deliveryKey(['command', trigger, user, channel, command.command, command.text]),
    waiting: {
      actor: { team, user },
      channel,
      what: `your \`${command.command}\` command`,
      responseUrl: command.response_url,
    },
  };
}

/** The same click delivered again has the same key; another click on the same button has another. */
export function clickDelivery(body: BlockActions): DeliveryRecord {
  const [action] = body.actions;
  const responseUrl = body.response_url;
  return {
    kind: 'click',
    key: deliveryKey([
      'click',
      body.trigger_id,
      body.user.id,
      action?.action_id,
      action?.value,
      action?.action_ts,
    ]),
    waiting: {
      actor: personOf(body),
      channel: body.channel?.id ?? body.user.id,
      what: 'your click',
      ...(responseUrl === undefined ? {} : { responseUrl }),
    },
  };
}

const personOf = ({ user, team }: BlockActions): Actor => ({
  team: user.team_id ?? team?.id ?? '',
  user: user.id,
});
