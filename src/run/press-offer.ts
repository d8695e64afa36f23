import { hash } from 'node:crypto';

import type { CommandLine } from '../command/grammar/command-line.ts';
import type { Context } from '../model/ports.ts';
import type { OfferMessage } from '../model/records/offer.ts';
import type { Caller } from '../model/values/actor.ts';
import { badInput, type BellhopError } from '../model/values/errors.ts';
import type { AttemptedCommand } from './admission.ts';
import { type Begun, type CommandResult, run } from './run-command.ts';

export interface OfferButton {
  readonly key: string;
  readonly text: string;
  readonly command: CommandLine;
  /** The target's name, if the button is about one. */
  readonly target?: string | undefined;
}

export const offerKey = ({ area, text }: CommandLine): string =>
  hash('sha256', `${area} ${text}`).slice(0, 16);

export interface PressedOffer {
  readonly message: OfferMessage;
  readonly key: string;
}

export interface OfferKind {
  readonly owns: (source: string) => boolean;
  /**
   * Runs the command of a button. The command comes from the stored offer and the current rules.
   * @throws BellhopError if the button is gone, and as `runTypedCommand` does
   */
  readonly press: (
    context: Context,
    caller: Caller,
    pressed: PressedOffer,
    attempt: AttemptedCommand,
  ) => Promise<Begun>;
}

interface OfferPress {
  readonly messageId: string;
  readonly key: string;
}

/**
 * Runs the command of a button for the person who pressed it. The button only identifies the offer and the command.
 * @throws BellhopError if the offer or the button is gone, and as `runTypedCommand` does
 */
export const pressOffer = (
  context: Context,
  kinds: readonly OfferKind[],
  caller: Caller,
  { messageId, key }: OfferPress,
): Promise<CommandResult> =>
  run(context, caller, undefined, async (attempt) => {
    const message = await context.store.findOffer(messageId);
    const kind = message && kinds.find(({ owns }) => owns(message.source));
    if (!kind || message.channel !== caller.place.channel)
      throw stale('This alert is no longer stored. Type the command instead.');
    return kind.press(context, caller, { message, key }, attempt);
  });

export const stale = (text: string): BellhopError => badInput(`${text} Nothing was done.`);
