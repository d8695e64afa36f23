import type { PlainTextOption } from '@slack/types';

import { suggestionsFor } from '../../run/suggestions.ts';
import type { SuggestionPayload } from '../receive/payloads.ts';
import { plain } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { callerOf, type SlackContext } from '../messages/context.ts';

type AckOptions = (answer: { readonly options: PlainTextOption[] }) => Promise<void>;

/** Names for a select while somebody types in it. Whoever may not run the operation here gets none. */
export async function suggest(
  context: SlackContext,
  payload: SuggestionPayload,
  ack: AckOptions,
): Promise<void> {
  await ack({ options: await optionsFor(context, payload) });
}

async function optionsFor(context: SlackContext, payload: SuggestionPayload): Promise<PlainTextOption[]> {
  const { metadata } = payload;
  const { block_id: field, value: typed } = payload.body;
  const entry = metadata && 'operation' in metadata ? context.registry.find(metadata.operation) : undefined;
  if (!entry) return [];
  try {
    const suggestions = await suggestionsFor(context, callerOf(context, payload), entry, field, typed);
    return suggestions.map(({ name, title = name, about }) => ({
      text: plain(about === '' ? title : `${title} · ${about}`, limits.optionText),
      value: name.slice(0, limits.optionValue),
    }));
  } catch (error) {
    context.log.info({ err: error, user: payload.actor.user }, 'no suggestions');
    return [];
  }
}
