import { parse } from '../../command/grammar/grammar.ts';
import type { Context } from '../../model/ports.ts';
import { isFiring, type OfferMessage } from '../../model/records/offer.ts';
import type { Caller } from '../../model/values/actor.ts';
import { requireRole } from '../../policy/authorize.ts';
import { DeniedError, whoHolds } from '../../policy/denied.ts';
import { anyone } from '../../policy/roles.ts';
import { type AttemptedCommand, auditRejected } from '../../run/admission.ts';
import { type PressedOffer, stale } from '../../run/press-offer.ts';
import { begin, type Begun } from '../../run/run-command.ts';
import { suggested, suggestedButton } from './suggestions/suggested.ts';
import { readSuggestion, type Suggestion, SuggestionEndedError } from './suggestions/suggestion.ts';

const isOpen = ({ clock }: Context, message: OfferMessage, { expiresAt }: Suggestion): boolean =>
  isFiring(message) && clock.now() < expiresAt;

/**
 * The person who presses the button becomes the requester and must confirm, because the agent wrote the command. The suggestion ends only
 * if the request is stored.
 * @throws BellhopError if the suggestion or its button is gone, and as `runTypedCommand` does
 */
export async function pressSuggestion(
  context: Context,
  caller: Caller,
  { message, key }: PressedOffer,
  attempt: AttemptedCommand,
): Promise<Begun> {
  const suggestion = readSuggestion(message.group?.content);
  attempt.operation = suggestion?.operation;
  if (!suggestion || !isOpen(context, message, suggestion)) throw new SuggestionEndedError();
  const button = suggestedButton(context, suggestion);
  if (button?.key !== key)
    throw stale(
      'This button is no longer available, because bellhop.yaml or the alert changed. Type the command instead.',
    );
  const { area, text } = button.command;
  const parsed = parse(context.registry, area, text);
  if (parsed.kind !== 'command')
    throw stale(`This suggestion's command is no longer valid. See /${area} help for its current form.`);
  return begin(context, { ...caller, button: '' }, parsed, attempt, {
    note: `Suggested by the agent ${suggestion.agent}.`,
    end({ id: requestId, createdAt: at }) {
      const ended = { state: 'pressed', at, by: caller.actor, requestId } as const;
      return suggested(context, { ...suggestion, ended }, whereOf(message));
    },
  });
}

const whereOf = ({ id: messageId, channel }: OfferMessage) => ({ messageId, channel });

/** @throws BellhopError if the suggestion has ended, or the caller is not a full member */
export const dismissSuggestion = (context: Context, caller: Caller, messageId: string): Promise<void> =>
  auditRejected(context, caller, undefined, async (attempt) => {
    const message = await context.store.findOffer(messageId);
    const suggestion = readSuggestion(message?.group?.content);
    attempt.operation = suggestion?.operation;
    const refusal = new DeniedError(
      'Only full members of this workspace can dismiss a suggestion.',
      'no rule',
      whoHolds(context, [anyone]),
      { by: 'none' },
    );
    await requireRole(context, caller.actor, [anyone], refusal);
    if (!message || !suggestion || message.channel !== caller.place.channel)
      throw stale('This suggestion is no longer stored, so there is nothing to dismiss.');
    if (!isOpen(context, message, suggestion)) throw new SuggestionEndedError();
    const ended = { state: 'dismissed', at: context.clock.now(), by: caller.actor } as const;
    const ending = suggested(context, { ...suggestion, ended }, whereOf(message));
    if (!(await context.store.endOffer(ending))) throw new SuggestionEndedError();
  });
