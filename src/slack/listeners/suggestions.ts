import type { PlainTextOption } from '@slack/types';

import { plain } from '../render/blocks.ts';
import { formAsker } from './actor.ts';
import { readFormMetadata } from '../forms/form-metadata.ts';
import { limits } from '../render/limits.ts';
import { blockSuggestion } from '../receive/payloads.ts';
import type { Surface } from './context.ts';

type AckOptions = (answer: { readonly options: PlainTextOption[] }) => Promise<void>;

/** Names for a select while somebody types in it. Whoever may not run the operation here gets none. */
export async function onSuggestion(surface: Surface, raw: unknown, ack: AckOptions): Promise<void> {
  await ack({ options: await optionsFor(surface, raw) });
}

async function optionsFor(surface: Surface, raw: unknown): Promise<PlainTextOption[]> {
  const body = blockSuggestion.parse(raw);
  const metadata = readFormMetadata(body.view?.private_metadata ?? '');
  const entry = metadata && surface.executor.catalogue.find(metadata.operation);
  if (!metadata || !entry) return [];
  try {
    const asker = formAsker(surface, body, metadata.place);
    const names = await surface.executor.suggestions(asker, entry, body.block_id, body.value);
    return names.map((name) => ({
      text: plain(name, limits.optionText),
      value: name.slice(0, limits.optionValue),
    }));
  } catch (error) {
    surface.log.info({ err: error, user: body.user.id }, 'no names are suggested');
    return [];
  }
}
