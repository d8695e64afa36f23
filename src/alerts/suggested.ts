import { hash } from 'node:crypto';

import { type EntryContext, entryOf } from '../audit/entries.ts';
import type { ResolvedCommand } from '../command/resolve.ts';
import type { AlertUpdate, ReceivedAlerts, SuggestedAlert } from '../model/records/alert.ts';
import { agentActor } from '../model/values/actor.ts';
import { canonical } from '../model/records/audit.ts';
import type { Rules } from '../model/ports.ts';
import type { Suggestion } from '../model/records/suggestion.ts';
import { targetKey } from '../model/rulebook/target.ts';
import { foldGroup } from './fold.ts';

/** Two commands with the same operation, effective input and target have the same key, however they were typed. */
export const suggestionKey = ({ entry, effective, target }: ResolvedCommand): string =>
  hash('sha256', canonical([entry.operation.name, effective, targetKey(target)]));

/** A suggestion as an alert, with the audit entry of its last step. The entry names the person, or the agent if no person acted. */
export function suggested(
  context: EntryContext & Pick<Rules, 'ownTeam'>,
  suggestion: Suggestion,
  { messageId, channel }: Pick<ReceivedAlerts, 'messageId' | 'channel'>,
): SuggestedAlert {
  const { ownTeam: team } = context;
  const { id, key, operation, input, target, reason, ended } = suggestion;
  const agent = agentActor(team, suggestion.agent);
  const at = ended?.at ?? suggestion.at;
  const update: AlertUpdate = {
    key: id,
    status: ended ? 'resolved' : 'firing',
    digest: key,
    content: {
      title: `Agent ${suggestion.agent} suggests ${suggestion.words}`.slice(0, 200).toWellFormed(),
      alerts: [],
      // As an alert about a target, so that a storm of other alerts does not hide its button.
      targets: [target.name],
      firing: ended ? 0 : 1,
      total: 1,
      suggestion,
    },
  };
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
  return {
    suggestion,
    alert: {
      hook: agent.user,
      channel,
      messageId,
      at,
      update,
      fold: (known, recent) => foldGroup(update, known, recent, at),
      entries: () => [],
    },
    audit: [entry],
  };
}
