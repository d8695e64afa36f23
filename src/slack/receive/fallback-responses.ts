import type { HandledPayload } from './payloads.ts';

const busy = 'Too much is going on right now. Nothing was done: try again in a moment.';
const late = 'No answer yet. Look at the channel before you send this again: it may have arrived.';

/**
 * The answer to a payload that there is no room for: a command's in private, a form's beside its first field, no options
 * while typing. Undefined where Slack shows no words of such an answer: then Slack marks a click as failed, and sends an
 * event again.
 */
export function overloadResponse(payload: HandledPayload): object | undefined {
  switch (payload.kind) {
    case 'command':
      return { response_type: 'ephemeral', text: busy };
    case 'view_submission':
      return besideFirstField(payload, busy);
    case 'block_suggestion':
      return { options: [] };
    case 'block_actions':
    case 'message_action':
    case 'event_callback':
    case 'message':
    case 'view_closed':
      return undefined;
  }
}

/**
 * The answer where a listener gives none in time. An empty 200 would close a form as if it had been accepted, so it gets
 * an error beside its first field. A form without fields has nowhere to show one: only then is it left to Slack's own
 * "trouble connecting".
 */
export function timeoutResponse(payload: HandledPayload): object | undefined {
  if (payload.kind === 'block_suggestion') return { options: [] };
  return payload.kind === 'view_submission' ? besideFirstField(payload, late) : undefined;
}

/** The answer to a submitted form that leaves it open with words beside its first field; undefined where it has none. */
const besideFirstField = ({ firstInput }: HandledPayload, words: string): object | undefined =>
  firstInput === undefined ? undefined : { response_action: 'errors', errors: { [firstInput]: words } };
