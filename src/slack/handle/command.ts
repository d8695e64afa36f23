import type { SlashCommand } from '@slack/bolt';

import { type CommandResult, runTypedCommand } from '../../run/run-command.ts';
import type { AcceptedDelivery } from '../receive/inbox.ts';
import type { Sender } from '../receive/payloads.ts';
import { type Recipient, type SlackContext, callerOf, privateTo } from '../messages/context.ts';
import { commandText } from './message-text.ts';
import { postPublicly, refusePrivately, showResult } from './reply.ts';
import type { Caller } from '../../model/actor.ts';
import { textMessage } from '../render/blocks.ts';
import type { RetryRead } from './refusal.ts';
import { readActions } from '../render/report/report.ts';
import { sendPrivately } from '../web-api/slack-api.ts';

/** Handles an acknowledged slash command. The caller sees the result or the error. */
export async function handleCommand(
  context: SlackContext,
  { command, text, trigger_id: triggerId }: SlashCommand,
  sender: Sender,
  accepted: AcceptedDelivery,
): Promise<void> {
  const caller = callerOf(context, sender, accepted);
  const recipient: Recipient = { caller, responseUrl: sender.responseUrl, ofCommand: true };
  await answerCommand(context, recipient, {
    run: (as) => runTypedCommand(context, as, command.slice(1), commandText(text)),
    triggerId,
  });
}

/** After this time a waiting person sees “Looking…”, in milliseconds. */
const patienceMs = 2_000;

interface AnsweredCommand {
  readonly run: (caller: Caller) => Promise<CommandResult>;
  /** May open a form. */
  readonly triggerId?: string | undefined;
  /** Shows the result; `recipient` says whether it replaces “Looking…”. Default: `showResult`. */
  readonly show?: ((recipient: Recipient, result: CommandResult) => Promise<void>) | undefined;
  /** What “Try again” does after a failed read. Default: runs the command. */
  readonly again?: RetryRead | undefined;
  /** This is already a retry, so an error replaces the previous one. */
  readonly retried?: boolean | undefined;
}

/**
 * Runs a command and shows its result or its error. A read that takes longer than two seconds shows “Looking…”, which its
 * answer replaces if Slack allows. A read with a temporary failure gets a retry button.
 */
export async function answerCommand(
  context: SlackContext,
  recipient: Recipient,
  { run, triggerId, show, again, retried = false }: AnsweredCommand,
): Promise<void> {
  const looking = startLooking(context, recipient);
  try {
    const { caller } = recipient;
    const result = await context.inProgress.run(caller.actor, () =>
      run({ ...caller, onRead: (words) => looking.begin(words) }),
    );
    const { to } = await looking.end();
    await (show ? show(to, result) : showResult(context, to, triggerId, result));
  } catch (error) {
    const { to, said, words } = await looking.end();
    const same = words === undefined ? undefined : { id: readActions.again, action: { words, page: 0 } };
    // Keep the old answer rather than replace it with an error.
    const replaces = said || retried ? to.replaces : false;
    await refusePrivately(context, { ...to, replaces }, error, again ?? same);
  }
}

interface Looking {
  begin(words: string): void;
  /** Stops showing progress. */
  end(): Promise<{
    /** Where the answer goes, replacing “Looking…”. */
    readonly to: Recipient;
    readonly said: boolean;
    /** The command of the read; undefined if none started. */
    readonly words: string | undefined;
  }>;
}

function startLooking(context: SlackContext, recipient: Recipient): Looking {
  const { clock } = context;
  const due = clock.now() + patienceMs;
  let stop: (() => void) | undefined;
  let read: string | undefined;
  let said: Promise<Recipient | undefined> | undefined;
  let over = false;
  return {
    begin(words) {
      if (over) return;
      read = words;
      stop = clock.every(Math.max(1, due - clock.now()), () => {
        stop?.();
        said = sayLooking(context, recipient);
      });
    },
    async end() {
      over = true;
      stop?.();
      const after = await said;
      return { to: after ?? recipient, said: after !== undefined, words: read };
    },
  };
}

/** Resolves to where the answer then goes; undefined if nothing could be shown. Never rejects. */
async function sayLooking(
  { api, log, notices }: SlackContext,
  recipient: Recipient,
): Promise<Recipient | undefined> {
  const { caller, ofCommand = false, replaces = ofCommand } = recipient;
  const text = '👀 Looking…';
  const message = textMessage(text, notices);
  try {
    const posted =
      recipient.publicly === true
        ? await postPublicly(api, recipient, message)
        : await sendPrivately(api, privateTo(recipient), message, true);
    return { ...recipient, replaces: posted ?? replaces };
  } catch (error) {
    log.warn(
      { err: error, correlationId: caller.correlationId },
      'could not show that a read is in progress',
    );
    return undefined;
  }
}
