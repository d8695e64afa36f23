import { type Actor, sameActor } from '../model/values/actor.ts';
import { BellhopError } from '../model/values/errors.ts';
import { approversOf, isOpen, type Request, stateWord } from '../model/records/request.ts';
import type { TextPart } from '../text/parts.ts';
import { abridged, capitalized, someOf } from '../text/words.ts';

/** Another request for the same target is open, or one of the same press has just ended. Surfaces link to its card. */
export class RequestInTheWayError extends BellhopError {
  override readonly name = 'RequestInTheWayError';
  readonly other: Request;

  constructor(
    other: Request,
    by: Actor,
    text: string | readonly TextPart[] = isOpen(other.state) ? openText(other, by) : pressedText(other),
  ) {
    super('busy', text);
    this.other = other;
  }
}

function openText(request: Request, by: Actor): readonly TextPart[] {
  const { target, requester, words, state, expiresAt, id } = request;
  return [
    `${target.name} already has an open request by `,
    { person: requester.user },
    `: ${abridged(words, 300)}, ${stateWord(request)}`,
    ...(state === 'running' ? [] : [', until ', { at: expiresAt }]),
    ` (${id}). `,
    ...nextParts(request, by),
    ' Nothing was done.',
  ];
}

function nextParts(request: Request, by: Actor): readonly TextPart[] {
  const { requester, decision } = request;
  const word = stateWord(request);
  if (word === 'running') return ['Wait until it ends.'];
  if (sameActor(requester, by)) return ['Finish or cancel that one first.'];
  const person = { person: requester.user };
  if (word !== 'awaiting approval') return ['Ask ', person, ' to finish or cancel it first.'];
  const approvers = approversOf(decision).map((role) => abridged(role, 60));
  return [`${capitalized(someOf(approvers, 5))} can approve or deny it. Only `, person, ' can cancel it.'];
}

const pressedText = ({ words, state, id }: Request): string =>
  `You already pressed this button. Its request: ${words}, ${state} (${id}). ` +
  'To run it once more, wait a minute or type the command. Nothing was done.';
