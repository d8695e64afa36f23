import { hash } from 'node:crypto';

import { entryOf } from '../audit/entries.ts';
import type { ResolvedCommand } from '../command/resolve.ts';
import type { ReceivedAlerts, SuggestedAlert } from '../model/alert.ts';
import { type Actor, agentActor } from '../model/actor.ts';
import { type AuditEvent, canonical } from '../model/audit.ts';
import type { Rules } from '../model/ports.ts';
import type { Suggestion, SuggestionEnding } from '../model/suggestion.ts';
import { targetKey } from '../model/target.ts';
import { fold } from './fold.ts';

interface EntryContext extends Pick<Rules, 'ownTeam'> {
  readonly clock: Pick<Rules['clock'], 'now'>;
  rulebook(): { readonly policy: { readonly hash: string } };
}

/** Equal for two commands with the same operation, effective input and target, however they were typed. */
export const suggestionKey = ({ entry, effective, target }: ResolvedCommand): string =>
  hash('sha256', canonical([entry.operation.name, effective, targetKey(target)]));

/** The place of a suggestion's alert. */
interface Where {
  readonly messageId: string;
  readonly channel: string;
}

/** Stores a suggestion as an alert, with its audit entry. */
export const suggested = (context: EntryContext, suggestion: Suggestion, where: Where): SuggestedAlert =>
  happened(context, suggestion, where, 'suggested', agentActor(context.ownTeam, suggestion.agent));

/** The suggestion when it ends. The audit entry names the person, or the agent if no one acted. */
export const endedSuggestion = (
  context: EntryContext,
  suggestion: Suggestion,
  ended: SuggestionEnding,
  where: Where,
): SuggestedAlert =>
  happened(
    context,
    { ...suggestion, ended },
    where,
    ended.state,
    ended.by ?? agentActor(context.ownTeam, suggestion.agent),
  );

function happened(
  context: EntryContext,
  suggestion: Suggestion,
  { messageId, channel }: Where,
  event: AuditEvent,
  actor: Actor,
): SuggestedAlert {
  const { id, agent, operation, input, target, reason, ended } = suggestion;
  const agentId = agentActor(context.ownTeam, agent).user;
  const about = { operation, input, target, suggestion: { id, agent: agentId } };
  const entry = entryOf(context, event, {
    actor,
    place: { team: context.ownTeam, channel },
    ...about,
    requestId: ended?.requestId,
    ...(event === 'suggested' ? { reason } : { note: `suggested by ${agentId}` }),
  });
  return { suggestion, alert: alertOf(suggestion, agentId, { messageId, channel }), audit: [entry] };
}

/** It fires while it is open. It counts as an alert about a target, so that a storm of others does not hide its button. */
function alertOf(suggestion: Suggestion, hook: string, where: Where): ReceivedAlerts {
  const { id, agent, key, words, target, ended } = suggestion;
  const at = ended?.at ?? suggestion.at;
  const status = ended ? 'resolved' : 'firing';
  const content = {
    title: `Agent ${agent} suggests ${words}`.slice(0, 200).toWellFormed(),
    alerts: [],
    targets: [target.name],
    firing: ended ? 0 : 1,
    total: 1,
    suggestion,
  };
  const update = { key: id, status, digest: key, content } as const;
  return {
    ...where,
    hook,
    update,
    at,
    fold: (known, recent) => fold(update, known, recent, at),
    rank: 0,
    entries: () => [],
  };
}
