import type { PlainTextOption } from '@slack/types';

import { plain } from '../render/blocks.ts';
import { formAsker } from './actor.ts';
import { readFormMetadata } from '../forms/form-metadata.ts';
import { limits } from '../render/limits.ts';
import { blockSuggestion } from '../receive/payloads.ts';
import type { SlackContext } from './context.ts';

type AckOptions = (answer: { readonly options: PlainTextOption[] }) => Promise<void>;

/** Names for a select while somebody types in it. Whoever may not run the operation here gets none. */
export async function suggest(context: SlackContext, raw: unknown, ack: AckOptions): Promise<void> {
  await ack({ options: await optionsFor(context, raw) });
}

async function optionsFor(context: SlackContext, raw: unknown): Promise<PlainTextOption[]> {
  const body = blockSuggestion.parse(raw);
  const metadata = readFormMetadata(body.view?.private_metadata ?? '');
  const entry = metadata && context.bellhop.registry.find(metadata.operation);
  if (!metadata || !entry) return [];
  try {
    const caller = formAsker(context, body, metadata.place);
    const names = await context.bellhop.suggestions(caller, entry, body.block_id, body.value);
    return names.map((name) => ({
      text: plain(name, limits.optionText),
      value: name.slice(0, limits.optionValue),
    }));
  } catch (error) {
    context.log.info({ err: error, user: body.user.id }, 'no names are suggested');
    return [];
  }
}
