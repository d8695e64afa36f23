import { hash } from 'node:crypto';

import { type EntryContext, entryOf } from '../../../audit/entries.ts';
import { readCommandLine } from '../../../command/grammar/command-line.ts';
import { actionLabelOf } from '../../../command/grammar/registry.ts';
import { type ResolvedCommand, resolveTyped } from '../../../command/resolve.ts';
import type { Rules } from '../../../model/ports.ts';
import { canonical } from '../../../model/records/audit.ts';
import type {
  Fold,
  OfferEnd,
  OfferUpdate,
  ReceivedUpdate,
  RecentMessages,
} from '../../../model/records/offer.ts';
import { targetKey, type Target } from '../../../model/rulebook/target.ts';
import { agentActor } from './agent-actor.ts';
import { rescue } from '../../../model/values/errors.ts';
import { offerKey, type OfferButton } from '../../../run/press-offer.ts';
import { capitalized } from '../../../text/words.ts';
import { entrySuggestion, suggestionEvents } from './events.ts';
import { agentsSection } from './section.ts';
import { type Suggestion, SuggestionEndedError, suggestionKind } from './suggestion.ts';

/** Two commands with the same operation, effective input and target have the same key, however they were typed. */
export const suggestionKey = ({ entry, effective, target }: ResolvedCommand): string =>
  hash('sha256', canonical([entry.operation.name, effective, targetKey(target)]));

/** All agents share this lock key, so that at most one suggestion is open per target. The key sorts before the names of all agents. */
export const turn = 'agent:';

/** The audit entry names the person, or the agent if no person acted. */
export function suggested(
  context: EntryContext & Pick<Rules, 'ownTeam'>,
  suggestion: Suggestion,
  { messageId, channel }: Pick<ReceivedUpdate, 'messageId' | 'channel'>,
): OfferEnd {
  const { ownTeam: team } = context;
  const { id, key, operation, input, target, reason, ended, expiresAt } = suggestion;
  const agent = agentActor(team, suggestion.agent);
  const at = ended?.at ?? suggestion.at;
  const content = {
    title: `Agent ${suggestion.agent} suggests ${suggestion.words}`.slice(0, 200).toWellFormed(),
    // Replicas of older versions read these.
    alerts: [],
    targets: [target.name],
    firing: ended ? 0 : 1,
    total: 1,
    suggestion,
  };
  const update: OfferUpdate = { key: id, status: ended ? 'resolved' : 'firing', digest: key, content };
  const state = ended?.state ?? 'suggested';
  const event = state === 'expired' ? state : suggestionEvents[state].name;
  const entry = entryOf(context, event, {
    actor: ended?.by ?? agent,
    place: { team, channel },
    operation,
    input,
    target,
    requestId: ended?.requestId,
    ...(ended ? { note: `suggested by ${agent.user}` } : { reason }),
  });
  return {
    turn,
    received: {
      source: agent.user,
      channel,
      messageId,
      at,
      update,
      fold: (_, recent) => ({
        fold: ended ? { kind: 'change' } : opened(recent),
        update,
        rank: 0,
        told: { rank: 0, targets: [target.name] },
      }),
      entries: () => [],
    },
    due: ended ? [] : [{ kind: suggestionKind, key: id, at: expiresAt, about: { agent: suggestion.agent } }],
    audit: [entrySuggestion.addTo(entry, { id, agent: agent.user })],
    otherwise: () => new SuggestionEndedError(),
  };
}

/** The most suggestions of an agent that get their own message within `recentMs.messages`. The others share one. */
const ownMessages = 20;

function opened({ own, storms }: RecentMessages): Fold {
  const tier = 'target';
  const { all } = own.find((each) => each.tier === tier) ?? { all: 0 };
  if (all < ownMessages) return { kind: 'open', in: 'message', tier };
  return { kind: 'open', in: 'storm', tier, storm: storms.find((each) => each.tier === tier)?.id };
}

/** Undefined if bellhop.yaml no longer has the agent, or the command no longer means the same. */
export const suggestedButton = (
  { registry, rulebook }: Pick<Rules, 'registry' | 'rulebook'>,
  suggestion: Suggestion,
): OfferButton | undefined =>
  rescue(() => {
    if (!Object.hasOwn(agentsSection.of(rulebook()), suggestion.agent)) return undefined;
    const command = readCommandLine(registry, suggestion.words);
    const resolved = resolveTyped(registry, rulebook().inventory, command.area, command.text);
    if (suggestionKey(resolved) !== suggestion.key) return undefined;
    const { entry, values, target } = resolved;
    const action = actionLabelOf(entry, { operation: entry.operation.name, input: values });
    return { key: offerKey(command), text: `${capitalized(action)} ${nameOnButton(target)}…`, command };
  });

/** An agent could write any text as a bucket's name, so the button shows only a well-formed name. */
const nameOnButton = ({ kind, name }: Target): string =>
  kind !== 'bucket' || /^[\w./-]{1,60}$/u.test(name) ? name : 'a bucket';
