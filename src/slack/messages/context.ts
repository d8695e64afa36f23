import type { Caller, MessageRef } from '../../model/actor.ts';
import type { Context } from '../../model/ports.ts';
import type { CommandsInProgress } from '../../run/commands-in-progress.ts';
import type { CardSync } from '../cards/card-sync.ts';
import type { AcceptedDelivery } from '../receive/inbox.ts';
import type { Sender } from '../receive/payloads.ts';
import type { PrivateRecipient } from '../web-api/send-privately.ts';
import type { HeldClick } from '../../model/step-up.ts';
import type { SlackApi } from '../web-api/slack-api.ts';

/** What the listeners need: what the rules need of the world, and Slack. */
export interface SlackContext extends Context {
  readonly inProgress: CommandsInProgress;
  readonly cards: CardSync;
  /** For a person who waits. */
  readonly api: SlackApi;
  /** The address at which the person signs in, so that their click counts. */
  readonly signInLink: (click: HeldClick) => Promise<string>;
  /** Said in every message: that the service is local, for one. */
  readonly notices: readonly string[];
}

/** The sender of a payload, as the core knows one; `accepted` where the payload may run a change. */
export const callerOf = (
  { ids }: Pick<SlackContext, 'ids'>,
  { actor, place, press }: Sender,
  accepted?: AcceptedDelivery,
): Caller => ({
  actor,
  place,
  press,
  correlationId: ids.correlation(),
  recheckDuplicate: accepted?.recheckDuplicate,
});

/** Where their private answers go. */
export const privateTo = ({ caller, responseUrl, opensThread }: Recipient): PrivateRecipient => ({
  user: caller.actor.user,
  channel: caller.place.channel,
  thread: opensThread === true ? undefined : caller.place.thread,
  responseUrl,
});

/** Where a private answer goes: through the payload's `response_url`, else as a message of their own. */
export interface Recipient {
  readonly caller: Caller;
  readonly responseUrl: string | undefined;
  /** The URL is that of a command: an answer may take the place of the one before it. */
  readonly ofCommand?: boolean | undefined;
  /** Nobody has replied in the thread yet: what only one person sees would not show there, and goes to the channel. */
  readonly opensThread?: boolean | undefined;
  /** A read is answered for all who follow the thread in which it was asked for. */
  readonly publicly?: boolean | undefined;
  /** The answer takes the place of what stands there: the message that was clicked, the answer before it, or this one. */
  readonly replaces?: boolean | MessageRef | undefined;
}
