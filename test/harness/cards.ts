import { buttonsOf, type Message } from '../program/workspace-page.ts';

/** The card of a request that waits for someone. */
export const isOpenCard = ({ ephemeral, text }: Message, target: string): boolean =>
  !ephemeral && text.includes(` ${target}: `) && /: (proposed|awaiting approval)\b/u.test(text);

/** A card that says how its request ended. */
export const isEndedCard = ({ text }: Message): boolean =>
  /: (succeeded|failed|unknown|cancelled|expired|refused)\b/u.test(text);

/** The id of the request that a card is about. */
export const requestOf = ({ text }: Message): string | undefined => /\br-[a-z0-9]{10}\b/u.exec(text)?.[0];

/** The card of a rollout that waits for someone, or is over. */
export const isRestingCard = ({ text }: Message): boolean =>
  /: (paused|done|stopped|cancelled|expired|refused)\b/u.test(text);

/** The button with which the requester continues. Undefined if nothing can be continued. */
export const continueButton = (card: Message): string | undefined =>
  buttonsOf(card).find((text) => text.startsWith('Continue with '));
