import { runTypedCommand, type CommandResult } from './run-command.ts';
import type { Context } from '../model/context.ts';
import type { Caller } from '../model/actor.ts';
import { BellhopError } from '../model/errors.ts';
import { isFiring } from '../model/alert.ts';
import { alertButtons } from '../alerts/buttons.ts';

/** A pressed button under an alert. Its place is the alert's thread: there what comes of it is shown. */
export interface AlertPress {
  readonly messageId: string;
  /** Which of its buttons. */
  readonly key: string;
}

/**
 * Runs the command of a button as whoever pressed it. What it is comes from the stored alert and the rules of now: the
 * button only says which one. @throws BellhopError where the alert or the button is gone, and as `runTypedCommand` does
 */
export async function pressAlertButton(
  context: Context,
  caller: Caller,
  { messageId, key }: AlertPress,
): Promise<CommandResult> {
  const message = await context.store.findAlertMessage(messageId);
  if (!message || message.channel !== caller.place.channel)
    throw stale('This alert is no longer kept: type the command instead.');
  if (message.moved !== undefined)
    throw stale('This alert is continued in a newer message: use the buttons there.');
  if (!isFiring(message)) throw stale('This alert is resolved. Where it is still needed, type the command.');
  const button = alertButtons(context, message).find((each) => each.key === key);
  if (!button)
    throw stale(
      'This button is no longer offered: bellhop.yaml or the alert changed. Type the command instead.',
    );
  const { area, text } = button.command;
  return runTypedCommand(context, caller, area, text);
}

const stale = (text: string): BellhopError => new BellhopError('bad-input', `${text} Nothing was done.`);
