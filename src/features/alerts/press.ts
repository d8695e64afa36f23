import type { Context } from '../../model/ports.ts';
import { isFiring } from '../../model/records/offer.ts';
import type { Caller } from '../../model/values/actor.ts';
import type { AttemptedCommand } from '../../run/admission.ts';
import { type PressedOffer, stale } from '../../run/press-offer.ts';
import { type Begun, runTyped } from '../../run/run-command.ts';
import { alertButtons } from './buttons.ts';

/** @throws BellhopError if the button is gone, and as `runTyped` does */
export async function pressAlertButton(
  context: Context,
  caller: Caller,
  { message, key }: PressedOffer,
  attempt: AttemptedCommand,
): Promise<Begun> {
  if (message.moved !== undefined)
    throw stale('This alert is continued in a newer message. Use the buttons there.');
  if (!isFiring(message)) throw stale('This alert is resolved. If you still need it, type the command.');
  const button = alertButtons(context, message).find((each) => each.key === key);
  if (!button)
    throw stale(
      'This button is no longer available, because bellhop.yaml or the alert changed. Type the command instead.',
    );
  return runTyped(context, { ...caller, button: button.text }, button.command, attempt);
}
