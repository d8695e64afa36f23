import { hash } from 'node:crypto';

import type {
  KnownSuggestions,
  SuggestedAlert,
  SuggestionDraft,
  Suggestions,
} from '../../model/records/alert.ts';
import { type Suggestion, suggestionKind } from '../../model/records/suggestion.ts';
import type { Database, Queries, SharedClock } from '../database/database.ts';
import { readContent } from './alert-groups.ts';
import { foldAlerts, takeTurn } from './alerts.ts';
import { stageEntries } from './audit.ts';
import { setDue } from './due.ts';
import { sanitizeText } from './parse-row.ts';

/**
 * The suggestions of all agents take turns, so that at most one suggestion is open per target. This name sorts before
 * any agent's.
 */
const turn = 'agent:';
const hourMs = 3_600_000;

export const suggestionsOn = ({ read, writeInTurn, sharedNow }: Database): Suggestions => ({
  async suggest(draft) {
    // A repeated or refused suggestion writes nothing and blocks no writer.
    const decided = draft.decide(await read((queries) => knownTo(queries, draft)));
    if (!('alert' in decided)) return { suggestion: decided };
    return writeInTurn(turn, (queries) => suggest(queries, { sharedNow }, draft));
  },
  endSuggestion: (ending) =>
    writeInTurn(turn, async (queries) => {
      const ends = await endSuggestion(queries, { sharedNow }, ending);
      if (ends) await stageEntries(queries, ending.audit);
      return ends;
    }),
  findSuggestion: (hook, id) =>
    read(async (queries) => {
      const row = await queries
        .selectFrom('alert_groups as its')
        .innerJoin('alert_messages as message', 'message.id', 'its.message_id')
        .select(['its.content', 'message.id as messageId', 'message.channel', 'message.ts'])
        .where('its.id', '=', groupId(hook, id))
        .executeTakeFirst();
      const suggestion = readContent(row?.content)?.suggestion;
      return row && suggestion && { ...row, suggestion, ts: row.ts ?? undefined };
    }),
});

const groupId = (hook: string, id: string): string => hash('sha256', `${hook}\n${sanitizeText(id)}`);

async function suggest(
  queries: Queries,
  clock: SharedClock,
  draft: SuggestionDraft,
): ReturnType<Suggestions['suggest']> {
  const { at } = draft;
  await takeTurn(queries, turn, at);
  const decided = draft.decide(await knownTo(queries, draft));
  if (!('alert' in decided)) return { suggestion: decided };
  const { suggestion, alert, audit } = decided;
  await foldAlerts(queries, clock, alert);
  const { id, agent, expiresAt } = suggestion;
  await setDue(queries, clock, at, [{ kind: suggestionKind, key: id, at: expiresAt, about: { agent } }]);
  await stageEntries(queries, audit);
  return decided;
}

async function knownTo(
  queries: Queries,
  { hook, hooks, key, at }: SuggestionDraft,
): Promise<KnownSuggestions> {
  const groups = queries.selectFrom('alert_groups').select('content');
  const ended = groups.where('hook', '=', hook).where('status', '=', 'resolved');
  const newest = ended.where('digest', '=', key).orderBy('status_at', 'desc').limit(1);
  const [previous] = suggestionsIn(await newest.execute());
  return {
    open: suggestionsIn(await groups.where('hook', 'in', hooks).where('status', '=', 'firing').execute()),
    ended: suggestionsIn(await ended.where('status_at', '>', at - hourMs).execute()),
    previous,
  };
}

const suggestionsIn = (rows: readonly { readonly content: string }[]): readonly Suggestion[] =>
  rows.flatMap(({ content }) => readContent(content)?.suggestion ?? []);

/** Runs in the transaction that ends the suggestion. The caller writes the entries. */
export async function endSuggestion(
  queries: Queries,
  clock: SharedClock,
  { suggestion, alert }: SuggestedAlert,
): Promise<boolean> {
  await takeTurn(queries, turn, alert.at);
  const open = await queries
    .selectFrom('alert_groups')
    .select('id')
    .where('id', '=', groupId(alert.hook, suggestion.id))
    .where('status', '=', 'firing')
    .executeTakeFirst();
  if (open) await foldAlerts(queries, clock, alert);
  return open !== undefined;
}
