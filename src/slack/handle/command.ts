import type { SlashCommand } from '@slack/bolt';

import { type CommandResult, runTypedCommand } from '../../run/run-command.ts';
import type { ReceivedContext } from '../receive/dispatch.ts';
import { type Recipient, type SlackContext, privateTo } from '../messages/context.ts';
import { refusePrivately, showResult } from './reply.ts';
import type { Caller } from '../../model/values/actor.ts';
import { textMessage } from '../render/blocks.ts';
import type { RetryRead } from './refusal.ts';
import { readActions } from '../render/report.ts';
import { sendPrivately, sendPublicly } from '../web-api/deliver.ts';
import { longestText } from '../../command/grammar/refuse.ts';

export async function handleCommand(
  context: SlackContext,
  { command, text, trigger_id: triggerId }: SlashCommand,
  { caller, responseUrl }: ReceivedContext,
): Promise<void> {
  const recipient: Recipient = { caller, responseUrl, ofCommand: true };
  await answerCommand(context, recipient, {
    run: (as) => runTypedCommand(context, as, command.slice(1), commandText(text)),
    typed: `${command} ${commandText(text)}`,
    triggerId,
  });
}

/** An escaped character takes at most five characters, so a longer text can't be a valid command. */
export const longestEscaped = 5 * longestText;

/**
 * The text as typed: mentions as `@U…` and `#C…`, links as their address, entities as characters. Slack escapes the text because the
 * manifest sets `should_escape`. Text too long for a command is unchanged.
 */
export const commandText = (text: string): string => (text.length > longestEscaped ? text : unescaped(text));

/** Slack escapes `<` in labels, so the result of one replacement never matches another pattern. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/<([@#])([UWCDG][A-Z0-9]+)(?:\|[^<>]*)?>/gu, '$1$2')
    .replaceAll(/<!(?:subteam\^|date\^[^|<>]*\|)?([^|<>]*)(?:\|@?([^<>]*))?>/gu, specialText)
    .replaceAll(/<([a-z][a-z\d+.-]*:[^|<>]+)(?:\|([^<>]*))?>/giu, (_, address: string, label?: string) =>
      linkText(address, label),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** As typed: `<!subteam^S0ONCALL|@oncall>`, `<!here>`, or a date with its fallback. */
const specialText = (all: string, id: string, label?: string): string =>
  all.startsWith('<!date') ? id : `@${label ?? id}`;

/**
 * Slack turns a typed `web-1.example.com` into a link with that label, and phones turn a number into `tel:`. Other labels of web and e-mail
 * addresses are ignored, because they could hide the address.
 */
export function linkText(address: string, label: string | undefined): string {
  const [, scheme = '', rest = ''] = /^(https?:\/\/|mailto:|[^:]*:)(.*?)\/?$/isu.exec(address) ?? [];
  const isTyped = label?.toLowerCase().replace(/\/$/u, '') === rest.toLowerCase();
  const mayHide = /^(?:http|mailto)/iu.test(scheme);
  if (label !== undefined && (isTyped || !mayHide)) return label;
  return mayHide ? address : rest;
}

/** In milliseconds. A person who waits longer than this sees “Looking…”. */
const patienceMs = 2_000;

interface AnsweredCommand {
  readonly run: (caller: Caller) => Promise<CommandResult>;
  /** Permits opening a form, for three seconds. */
  readonly triggerId?: string | undefined;
  /** Default: `showResult`. `recipient` says whether the result replaces “Looking…”. */
  readonly show?: ((recipient: Recipient, result: CommandResult) => Promise<void>) | undefined;
  /** For “Try again” after a failed read. Default: runs the command. */
  readonly again?: RetryRead | undefined;
  /** As typed, for the corrections that an error offers. */
  readonly typed?: string | undefined;
  /** Set for a retry, whose error replaces the previous error. */
  readonly retried?: boolean | undefined;
}

/** Shows the result or the error. A read over two seconds shows “Looking…” first. A read with a temporary failure gets a retry button. */
export async function answerCommand(
  context: SlackContext,
  recipient: Recipient,
  { run, triggerId, show, again, typed, retried = false }: AnsweredCommand,
): Promise<void> {
  const { clock, inProgress } = context;
  const { caller } = recipient;
  const due = clock.now() + patienceMs;
  let words: string | undefined;
  let stop: (() => void) | undefined;
  let looking: Promise<Recipient | undefined> | undefined;
  const onRead = (read: string): void => {
    words = read;
    stop = clock.every(Math.max(1, due - clock.now()), () => {
      stop?.();
      looking = showLooking(context, recipient);
    });
  };
  try {
    const result = await inProgress
      .run(caller.actor, () => run({ ...caller, onRead }))
      .finally(() => stop?.());
    const to = (await looking) ?? recipient;
    await (show ? show(to, result) : showResult(context, to, triggerId, result));
  } catch (error) {
    const shown = await looking;
    // An error does not replace an old answer.
    const replaces = shown || retried ? (shown ?? recipient).replaces : false;
    const same = words === undefined ? undefined : { id: readActions.again, action: { words, page: 0 } };
    await refusePrivately(context, { ...recipient, replaces }, error, { again: again ?? same, typed });
  }
}

/** Resolves to the recipient that replaces “Looking…”, or to undefined if it could not be shown. Never rejects. */
async function showLooking(
  { api, log, disclaimers }: SlackContext,
  recipient: Recipient,
): Promise<Recipient | undefined> {
  const { caller, ofCommand = false, replaces = ofCommand } = recipient;
  const message = textMessage('👀 Looking…', disclaimers);
  try {
    const posted =
      recipient.publicly === true
        ? await sendPublicly(api, caller.place, recipient.replaces, message)
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
