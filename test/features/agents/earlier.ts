import { expect } from 'vitest';

import { createAgentReads } from '../../../src/features/agents/reads.ts';
import { suggestChange } from '../../../src/features/agents/suggestions/suggest.ts';
import { readSuggestion } from '../../../src/features/agents/suggestions/suggestion.ts';
import type { Store } from '../../../src/store/store.ts';
import type { EarlierPart } from '../../store/earlier/make-store.ts';
import { holmes } from './agent-stage.ts';

/** Two suggestions that wait for a person. */
export const earlierSuggestions: EarlierPart = {
  async fill(stage, expireAfterMs) {
    const agent = { ...holmes, expireAfterMs };
    stage.rulebook = {
      ...stage.rulebook,
      sections: { ...stage.rulebook.sections, agents: { holmes: agent } },
    };
    const base = {
      ...stage.context,
      posted: () => Promise.resolve(),
      linkTo: () => Promise.resolve(undefined),
    };
    for (const command of ['/cloud stop web-3', '/cloud reboot web-1'])
      await suggestChange({ ...base, ...createAgentReads(base) }, agent, {
        command,
        reason: 'It does not answer.',
      });
  },
  async expectFilled(store) {
    expect(await suggestionOf(store, 's-c-8')).toMatchObject({ words: '/cloud stop web-3' });
    expect(await suggestionOf(store, 's-c-10')).toMatchObject({ words: '/cloud reboot web-1' });
  },
};

async function suggestionOf(store: Store, key: string) {
  const { messageId = '' } = (await store.findOfferOf('agent:holmes', key)) ?? {};
  return readSuggestion((await store.findOffer(messageId))?.group?.content);
}
