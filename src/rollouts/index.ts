import type { Feature } from '../host/feature.ts';
import type { Buttons } from '../slack/messages/context.ts';
import { readPart } from '../model/records/whole.ts';
import { continueAction, stopAction } from '../slack/cards/whole-card.ts';
import { answerClick } from '../slack/handle/card-buttons.ts';
import { createRolloutHandler, rolloutRule } from './drive.ts';
import { handleRolloutClick, type RolloutAction } from './press.ts';

/** The card sync changes the card. */
const pressed =
  (action: RolloutAction): Buttons[string] =>
  (context, click) => {
    const { requestId, index: next } = readPart(click.action.value ?? '');
    const about = { ...click.context.caller, requestId, next, action };
    return answerClick(context, click, { action }, () => handleRolloutClick(context, about));
  };

/** Changes several targets one after another, each once the previous one is healthy again. */
export const rollouts: Feature = {
  after: [rolloutRule],
  buttons: { [continueAction]: pressed('continue'), [stopAction]: pressed('stop') },
  start: (host) => ({ handlers: [createRolloutHandler(host)] }),
};
