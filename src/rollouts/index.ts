import type { Feature } from '../host/feature.ts';
import type { SlackContext } from '../slack/messages/context.ts';
import type { Click } from '../slack/receive/dispatch.ts';
import { continueAction, readContinue, stopAction } from '../slack/cards/whole-card.ts';
import { decide } from '../slack/handle/card-buttons.ts';
import { createRolloutHandler, rolloutRule } from './drive.ts';
import { handleRolloutClick, type RolloutAction } from './press.ts';

/** Changes several targets one after another, each once the previous one is healthy again. */
export const rollouts: Feature = {
  after: rolloutRule,
  buttons: { [continueAction]: pressed('continue'), [stopAction]: pressed('stop') },
  start: (host) => ({ handlers: [createRolloutHandler(host)] }),
};

/** The card sync changes the card. */
function pressed(action: RolloutAction) {
  return (context: SlackContext, click: Click): Promise<void> => {
    const about = { ...click.context.caller, ...readContinue(click.action.value ?? ''), action };
    return decide(context, click, { action }, () => handleRolloutClick(context, about));
  };
}
