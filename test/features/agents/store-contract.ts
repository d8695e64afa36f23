import { describe, expect, it } from 'vitest';

import { suggested, turn } from '../../../src/features/agents/suggestions/suggested.ts';
import {
  readSuggestion,
  type Suggestion,
  SuggestionEndedError,
} from '../../../src/features/agents/suggestions/suggestion.ts';
import type { OfferStep } from '../../../src/model/records/offer.ts';
import type { Store } from '../../../src/store/store.ts';
import { alice, bob } from '../../people.ts';
import { aDraft, aProposal, aRequest } from '../../store/sample-request.ts';
import { claimed, entryCount, type Opened } from '../../store/contract/opened.ts';

const context = {
  ownTeam: 'T0LOCAL',
  clock: { now: () => 1000 },
  rulebook: () => ({ policy: { hash: 'policy' } }),
};
const hook = 'agent:holmes';

let numbered = 0;
function aSuggestion(overrides: Partial<Suggestion> = {}): Suggestion {
  numbered += 1;
  const { target, targetKey } = aRequest();
  return {
    id: `s-${numbered}`,
    agent: 'holmes',
    key: 'reboot web-1',
    operation: 'cloud.reboot',
    words: '/cloud reboot web-1',
    input: { instance: 'web-1' },
    target,
    targetKey,
    reason: 'stuck',
    evidence: [],
    at: 1000,
    expiresAt: 5000,
    ...overrides,
  };
}

const where = (id: string) => ({ messageId: `a-${id}`, channel: 'C0INC42' });

const from = { turn, source: hook, sources: [hook], endedAfter: 0 };

interface Decided {
  readonly suggestion: Suggestion;
  readonly step?: OfferStep;
}

const suggestTo = (store: Store, suggestion: Suggestion) =>
  store.makeOffer<Decided>({
    ...from,
    digest: suggestion.key,
    at: suggestion.at,
    decide({ open }) {
      const same = open.flatMap((one) => readSuggestion(one) ?? []).find(({ key }) => key === suggestion.key);
      if (same) return { suggestion: same };
      return { suggestion, step: suggested(context, suggestion, where(suggestion.id)) };
    },
  });

const ending = (suggestion: Suggestion, state: 'dismissed' | 'expired' | 'pressed', by = alice) =>
  suggested(context, { ...suggestion, ended: { state, at: 2000, by } }, where(suggestion.id));

export function suggestionsContract(stores: () => Opened): void {
  describe('a suggestion', () => {
    it('is made once, by whichever replica is first, with its message, its expiry and its entry', async () => {
      const { one, other, count } = stores();
      const both = await Promise.all([
        suggestTo(one, aSuggestion()),
        suggestTo(other, aSuggestion()),
        suggestTo(one, aSuggestion()),
      ]);
      expect(new Set(both.map(({ suggestion }) => suggestion.id)).size).toBe(1);
      expect(both.filter(({ step }) => step)).toHaveLength(1);
      expect(await count('alert_messages')).toBe(1);
      expect(await entryCount(one)).toBe(1);
      const id = both[0]?.suggestion.id ?? '';
      expect(await one.findOfferOf(hook, id)).toMatchObject({
        content: { suggestion: { id } },
        channel: 'C0INC42',
      });
      expect(await one.findOfferOf('agent:watson', id)).toBeUndefined();
      expect(await claimed(one, 'alert', 10)).toEqual([`a-${id}`]);
    });

    it('ends once, and the next caller learns how', async () => {
      const { one, other } = stores();
      const { suggestion } = await suggestTo(one, aSuggestion());
      const ends = await Promise.all([
        one.endOffer(ending(suggestion, 'dismissed')),
        other.endOffer(ending(suggestion, 'expired')),
      ]);
      expect(ends.toSorted()).toEqual([false, true]);
      expect(await entryCount(one)).toBe(2);
      const known: unknown[] = [];
      await one.makeOffer<Decided>({
        ...from,
        digest: suggestion.key,
        at: 3000,
        decide(seen) {
          known.push(seen.open.length, seen.ended.length, readSuggestion(seen.previous)?.id);
          return { suggestion };
        },
      });
      expect(known).toEqual([0, 1, suggestion.id]);
    });

    it('ends with the request of the first press, and no other request is written', async () => {
      const { one, other, count } = stores();
      const { suggestion } = await suggestTo(one, aSuggestion());
      const propose = (store: Store, by: typeof alice) => {
        const ends = ending(suggestion, 'pressed', by);
        return store.propose(aProposal(aRequest(), { ends, audit: [aDraft(), ...ends.audit] }));
      };
      const pressed = await Promise.allSettled([propose(one, alice), propose(other, bob)]);
      const refused = pressed.filter(
        (each) => each.status === 'rejected' && each.reason instanceof SuggestionEndedError,
      );
      expect(refused).toHaveLength(1);
      expect(await count('requests')).toBe(1);
      expect(await entryCount(one)).toBe(3);
      const found = await one.findOfferOf(hook, suggestion.id);
      expect(readSuggestion(found?.content)?.ended?.state).toBe('pressed');
    });

    it('is not made if it is refused, and nothing is written', async () => {
      const { one, count } = stores();
      const refusal = new SuggestionEndedError();
      const made = one.makeOffer({
        ...from,
        digest: 'k',
        at: 1,
        decide() {
          throw refusal;
        },
      });
      await expect(made).rejects.toBe(refusal);
      expect([await count('alert_messages'), await count('alert_groups')]).toEqual([0, 0]);
    });
  });
}
