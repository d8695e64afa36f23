import { z } from 'zod';

import { endedSuggestion } from '../alerts/suggested.ts';
import type { Handler } from '../due/work.ts';
import { agentActor } from '../model/actor.ts';
import type { Suggestions } from '../model/alert.ts';
import type { Rules } from '../model/ports.ts';

interface ExpiryContext extends Pick<Rules, 'rulebook' | 'clock' | 'ownTeam'> {
  readonly store: Suggestions;
}

const about = z.object({ agent: z.string() });

/** Ends a suggestion that was neither pressed nor dismissed in time. */
export const createExpiryHandler = (context: ExpiryContext): Handler => ({
  atOnce: 10,
  trouble: 'a suggestion could not be ended',
  byClock: true,
  async handle({ key, about: given }) {
    const { store, clock, ownTeam } = context;
    const { agent } = about.parse(given);
    const found = await store.findSuggestion(agentActor(ownTeam, agent).user, key);
    if (!found || found.suggestion.ended) return { done: true };
    const { suggestion } = found;
    const now = clock.now();
    if (now < suggestion.expiresAt) return { againIn: suggestion.expiresAt - now };
    await store.endSuggestion(endedSuggestion(context, suggestion, { state: 'expired', at: now }, found));
    return { done: true };
  },
});
