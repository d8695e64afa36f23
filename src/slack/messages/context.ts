import type { Caller } from '../../model/values/actor.ts';
import type { Context } from '../../model/ports.ts';
import type { CommandsInProgress } from '../../run/admission.ts';
import type { CardSync } from '../cards/card-sync.ts';
import type { HeldClick } from '../../model/values/step-up.ts';
import type { PrivateRecipient, SlackApi } from '../web-api/slack-api.ts';

/** The listeners' context: that of the rules, and Slack. */
export interface SlackContext extends Context {
  readonly inProgress: CommandsInProgress;
  readonly cards: CardSync;
  /** For a person who waits. */
  readonly api: SlackApi;
  /** The address at which the person signs in, so that their click counts. */
  readonly signInLink: (click: HeldClick) => Promise<string>;
  /** Shown in every message, such as that the service is local. */
  readonly notices: readonly string[];
}

/** Where private answers go. */
export const privateTo = ({ caller, responseUrl, opensThread, replaces }: Recipient): PrivateRecipient => ({
  user: caller.actor.user,
  channel: caller.place.channel,
  thread: opensThread === true ? undefined : caller.place.thread,
  responseUrl,
  replaces,
});

/** Where a private answer goes: through the payload's `response_url`, otherwise as a separate message. */
export interface Recipient {
  readonly caller: Caller;
  readonly responseUrl: string | undefined;
  /** The URL belongs to a command, so an answer may replace the previous one. */
  readonly ofCommand?: boolean | undefined;
  /** The thread has no replies yet, so Slack would not show private messages there; they go to the channel. */
  readonly opensThread?: boolean | undefined;
  /** Reads are answered for everyone in the thread. */
  readonly publicly?: boolean | undefined;
  /** The answer replaces the clicked message, the previous answer, or this message. */
  readonly replaces?: PrivateRecipient['replaces'];
}
