import type { BlockSuggestion, SlackOptionsMiddlewareArgs } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';

import { suggestionsFor } from '../../run/suggestions.ts';
import type { Sender } from '../receive/payloads.ts';
import { plain } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { callerOf, type SlackContext } from '../messages/context.ts';

type AckOptions = SlackOptionsMiddlewareArgs<'block_suggestion'>['ack'];

/** Names for a select while somebody types in it. Whoever may not run the operation here gets none. */
export async function suggest(
  context: SlackContext,
  options: BlockSuggestion,
  sender: Sender,
  ack: AckOptions,
): Promise<void> {
  await ack({ options: await optionsFor(context, options, sender) });
}

async function optionsFor(
  context: SlackContext,
  { block_id: field, value: typed }: BlockSuggestion,
  sender: Sender,
): Promise<PlainTextOption[]> {
  const { metadata } = sender;
  const entry = metadata && 'operation' in metadata ? context.registry.find(metadata.operation) : undefined;
  if (!entry) return [];
  try {
    const suggestions = await suggestionsFor(context, callerOf(context, sender), entry, field, typed);
    return suggestions.map(({ name, title = name, about }) => ({
      text: plain(about === '' ? title : `${title} · ${about}`, limits.optionText),
      value: name.slice(0, limits.optionValue),
    }));
  } catch (error) {
    context.log.info({ err: error, user: sender.actor.user }, 'no suggestions');
    return [];
  }
}
