import { hash } from 'node:crypto';

import { type EntryContext, entryOf } from '../audit/entries.ts';
import type { ResolvedCommand } from '../command/resolve.ts';
import type { ReceivedAlerts, SuggestedAlert } from '../model/records/alert.ts';
import { agentActor } from '../model/values/actor.ts';
import { canonical } from '../model/records/audit.ts';
import type { Rules } from '../model/ports.ts';
import type { Suggestion } from '../model/records/suggestion.ts';
import { targetKey } from '../model/rulebook/target.ts';
import { foldGroup } from './fold.ts';

/** Two commands with the same operation, effective input and target have the same key, however they were typed. */
export const suggestionKey = ({ entry, effective, target }: ResolvedCommand): string =>
  hash('sha256', canonical([entry.operation.name, effective, targetKey(target)]));

interface Where {
  readonly messageId: string;
  readonly channel: string;
}

/** A suggestion as an alert, with the audit entry of its last step. The entry names the person, or the agent if no person acted. */
export function suggested(
  context: EntryContext & Pick<Rules, 'ownTeam'>,
  suggestion: Suggestion,
  { messageId, channel }: Where,
): SuggestedAlert {
  const { ownTeam: team } = context;
  const { id, operation, input, target, reason, ended } = suggestion;
  const agent = agentActor(team, suggestion.agent);
  const entry = entryOf(context, ended?.state ?? 'suggested', {
    actor: ended?.by ?? agent,
    place: { team, channel },
    operation,
    input,
    target,
    suggestion: { id, agent: agent.user },
    requestId: ended?.requestId,
    ...(ended ? { note: `suggested by ${agent.user}` } : { reason }),
  });
  return { suggestion, alert: alertOf(suggestion, agent.user, { messageId, channel }), audit: [entry] };
}

/**
 * A suggestion fires while it is open. It counts as an alert about a target, so that a storm of other alerts does not hide its
 * button.
 */
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
    fold: (known, recent) => foldGroup(update, known, recent, at),
    entries: () => [],
  };
}
