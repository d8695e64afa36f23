import { z } from 'zod';

import type { KnownOffers, Offers } from '../../../model/records/offer.ts';
import { BellhopError } from '../../../model/values/errors.ts';
import type { Agent } from './section.ts';
import { readSuggestion, type Suggestion, suggestionKind } from './suggestion.ts';
import { suggested } from './suggested.ts';
import type { Handler } from '../../../model/records/due.ts';
import { agentActor } from './agent-actor.ts';
import type { Rules } from '../../../model/ports.ts';

export const hourMs = 3_600_000;

interface KnownSuggestions {
  readonly open: readonly Suggestion[];
  /** This agent's suggestions that ended within the last hour. */
  readonly ended: readonly Suggestion[];
}

export const knownSuggestions = ({ open, ended }: KnownOffers): KnownSuggestions => ({
  open: open.flatMap((one) => readSuggestion(one) ?? []),
  ended: ended.flatMap((one) => readSuggestion(one) ?? []),
});

/**
 * Returns the equal suggestion if one is already open. Pure.
 * @throws BellhopError that says which bound is reached, and when to try again
 */
export function admitSuggestion(
  made: Suggestion,
  { open: maxOpen, suggestions: maxAnHour }: Agent,
  { open: all, ended }: KnownSuggestions,
): Suggestion | undefined {
  const now = made.at;
  const open = all.filter(({ expiresAt }) => expiresAt > now);
  const own = open.filter(({ agent }) => agent === made.agent);
  const same = own.find(({ key }) => key === made.key);
  if (same) return same;

  const met = open.find(({ targetKey }) => targetKey === made.targetKey);
  if (met) {
    const isOwn = met.agent === made.agent;
    const whose = isOwn ? `your suggestion ${met.id}, ${met.words}` : 'a suggestion of another agent';
    const text = `${made.target.name} already has an open suggestion, and only one per target may be open: ${whose}.`;
    throw notYet(text, met.expiresAt, now);
  }
  const dismissed = ended.find(({ key, ended: end }) => key === made.key && end?.state === 'dismissed');
  if (dismissed) {
    const until = (dismissed.ended?.at ?? now) + hourMs;
    throw notYet(`A person dismissed ${made.words}. You can't suggest it again for an hour.`, until, now);
  }
  if (own.length >= maxOpen) {
    const until = Math.min(...own.map(({ expiresAt }) => expiresAt));
    const text = `${own.length} of your suggestions are open; the limit is ${maxOpen} (“open”).`;
    throw notYet(text, until, now);
  }
  const times = [...ended, ...own].map(({ at }) => at);
  boundHour('suggestions', times, maxAnHour, now);
  return undefined;
}

/** @returns the times within the last hour @throws BellhopError `busy` if the limit is reached */
export function boundHour(
  what: 'reads' | 'suggestions',
  times: readonly number[],
  most: number,
  now: number,
): readonly number[] {
  const lately = times.filter((at) => at > now - hourMs);
  if (lately.length < most) return lately;
  const text = `You made ${lately.length} ${what} in the last hour; the limit is ${most} (“${what}”).`;
  const nothing = what === 'reads' ? 'Nothing was read.' : undefined;
  throw notYet(text, Math.min(now, ...lately) + hourMs, now, nothing);
}

function notYet(text: string, until: number, now: number, nothing = 'Nothing was posted.'): BellhopError {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  const when = `Try again at ${new Date(until).toISOString()}, in ${seconds} s.`;
  return new BellhopError('busy', `${text} ${when} ${nothing}`, { retryable: true, until });
}

interface ExpiryContext extends Pick<Rules, 'rulebook' | 'clock' | 'ownTeam'> {
  readonly store: Pick<Offers, 'endOffer' | 'findOfferOf'>;
}

const about = z.object({ agent: z.string() });

export const createExpiryHandler = (context: ExpiryContext): Handler => ({
  kind: suggestionKind,
  atOnce: 10,
  trouble: 'a suggestion could not be ended',
  byClock: true,
  async handle({ key, about: given }) {
    const { store, clock, ownTeam } = context;
    const { agent } = about.parse(given);
    const found = await store.findOfferOf(agentActor(ownTeam, agent).user, key);
    const suggestion = readSuggestion(found?.content);
    if (!found || !suggestion || suggestion.ended) return { done: true };
    const now = clock.now();
    if (now < suggestion.expiresAt) return { againIn: suggestion.expiresAt - now };
    const ended = { state: 'expired', at: now } as const;
    await store.endOffer(suggested(context, { ...suggestion, ended }, found));
    return { done: true };
  },
});
