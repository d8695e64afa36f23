import type { Actor, Caller } from '../../model/values/actor.ts';
import type { Context } from '../../model/ports.ts';
import type { Request } from '../../model/records/request.ts';
import type { CommandsInProgress } from '../../run/admission.ts';
import type { CardSync } from '../cards/card-sync.ts';
import type { PrivateRecipient } from '../web-api/deliver.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import type { Beside, CardExtra } from '../cards/card-lines.ts';
import type { Click, SubmittedForm } from '../receive/dispatch.ts';
import type { ShownOffers } from './offers.ts';

export interface SlackContext extends Context {
  readonly inProgress: CommandsInProgress;
  readonly cards: CardSync;
  /** For the card of a waiting request. Never rejects. */
  readonly beside: (request: Request) => Promise<Beside>;
  readonly api: SlackApi;
  readonly offers: readonly ShownOffers[];
  readonly buttons: Buttons;
  readonly forms: Forms;
  readonly cardExtras: readonly CardExtra[];
  /** Shown in every message, such as that the service is local. */
  readonly disclaimers: readonly string[];
  /** Mrkdwn. */
  readonly homeLines: (reader: Actor) => Promise<readonly string[]>;
}

/** By action id. A BellhopError becomes a private answer. */
export type Buttons = Readonly<Record<string, (context: SlackContext, click: Click) => Promise<void>>>;

/** By callback id. They acknowledge the form. */
export type Forms = Readonly<Record<string, (context: SlackContext, form: SubmittedForm) => Promise<void>>>;

export const privateTo = ({ caller, responseUrl, opensThread, replaces }: Recipient): PrivateRecipient => ({
  user: caller.actor.user,
  channel: caller.place.channel,
  thread: opensThread === true ? undefined : caller.place.thread,
  responseUrl,
  replaces,
});

/** Through the payload's `response_url`, otherwise as a separate message. */
export interface Recipient {
  readonly caller: Caller;
  readonly responseUrl: string | undefined;
  /** Whether the URL belongs to a command, so that an answer may replace the previous one. */
  readonly ofCommand?: boolean | undefined;
  /** Whether the thread may be closed or empty, where private messages would not be seen. They go to the channel. */
  readonly opensThread?: boolean | undefined;
  /** Posts the answer to a read for everyone in the thread. */
  readonly publicly?: boolean | undefined;
  /** Whether the answer replaces the clicked message or the previous answer, or which message it replaces. */
  readonly replaces?: PrivateRecipient['replaces'];
}
