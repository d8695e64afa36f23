import { besideFirstField } from './beside-first-field.ts';
import type { Payload } from './payloads.ts';

const busy = 'Too much is going on right now. Nothing was done: try again in a moment.';

/**
 * What a person is told at once, in the answer to Slack itself, where there is no room for a payload: a command in
 * private, a form beside its first field, typing with no options. Undefined where Slack shows no words of such an answer:
 * then a click is marked as failed by Slack, and an event comes again.
 */
export function overloadResponse({
  kind,
  body,
}: Extract<Payload, { readonly body: unknown }>): object | undefined {
  switch (kind) {
    case 'command':
      return { response_type: 'ephemeral', text: busy };
    case 'view_submission':
      return besideFirstField(body, busy);
    case 'block_suggestion':
      return { options: [] };
    case 'block_actions':
    case 'event_callback':
    case 'view_closed':
      return undefined;
  }
}
