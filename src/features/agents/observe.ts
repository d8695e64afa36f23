import type { Declare } from '../../host/metrics.ts';
import { numbers, tableOf, texts } from '../../bellhop/parts/report-parts.ts';
import type { AuditDraft } from '../../model/records/audit.ts';
import { type Clock, type Log, onceAMinute } from '../../model/ports.ts';
import { agentNamed } from './suggestions/agent-actor.ts';
import type { Table } from '../../model/values/report.ts';
import { entrySuggestion } from './suggestions/events.ts';
import type { OnAgentCall } from './route.ts';

export const agentMetrics = ({ counter }: Declare) => ({
  calls: counter(
    'bellhop_agent_calls_total',
    ['agent', 'outcome'],
    'Calls to /mcp by agent and result. Calls without a valid token count under agent="unknown".',
  ),
  suggestions: counter(
    'bellhop_agent_suggestions_total',
    ['agent', 'outcome'],
    'Suggestions of agents by event: suggested, then pressed, dismissed or expired.',
  ),
});

/** This replica's view of an agent. Times are epoch milliseconds. */
interface AgentStatus {
  /** The name is `unknown` for callers without a valid token. */
  readonly name: string;
  readonly answered: number;
  readonly refused: number;
  readonly refusedInARow: number;
  readonly lastRefused?:
    | { readonly at: number; readonly reason: string; readonly problem?: string | undefined }
    | undefined;
}

/** Reports this replica's calls for each agent in bellhop.yaml. Callers without a valid token are counted together. */
export function observeAgents(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  metrics: ReturnType<typeof agentMetrics>,
) {
  const agents = new Map<string, AgentStatus>();
  const isDue = onceAMinute(clock);
  const afterCall: OnAgentCall = (name = 'unknown', outcome, problem) => {
    metrics.calls.inc({ agent: name, outcome });
    const isAnswered = outcome === 'answered';
    if (!isAnswered && isDue(`${name} ${outcome}`))
      log.warn({ agent: name, reason: outcome, problem }, 'agent call refused');
    const known = agents.get(name) ?? { name, answered: 0, refused: 0, refusedInARow: 0 };
    agents.set(name, {
      ...known,
      answered: known.answered + Number(isAnswered),
      refused: known.refused + Number(!isAnswered),
      refusedInARow: isAnswered ? 0 : known.refusedInARow + 1,
      ...(!isAnswered && { lastRefused: { at: clock.now(), reason: outcome, problem } }),
    });
  };
  return {
    afterCall,
    recorded(entry: AuditDraft): void {
      const suggestion = entrySuggestion.of(entry);
      if (!suggestion) return;
      const agent = agentNamed({ user: suggestion.agent }) ?? 'unknown';
      metrics.suggestions.inc({ agent, outcome: entry.event });
    },
    problems: () => [...agents.values()].flatMap(agentProblem),
    tables: () => agentsTable([...agents.values()]),
  };
}

/** An agent is a problem after this many refusals in a row. */
const keepsBeingRefused = 5;

/** Callers without a token are listed, but are not a problem of Bellhop's. */
function agentProblem({ name, refusedInARow, lastRefused }: AgentStatus): readonly string[] {
  if (name === 'unknown' || refusedInARow < keepsBeingRefused) return [];
  const why = lastRefused?.problem ?? lastRefused?.reason ?? '';
  return [`the agent ${name} keeps being refused (${why})`];
}

const agentsTable = (agents: readonly AgentStatus[]): readonly Table[] =>
  tableOf(
    'Agents, since this replica started',
    [...texts('Agent'), ...numbers('Answered', 'Refused'), ...texts('Last refused', 'Why')],
    agents.map(({ name, answered, refused, lastRefused }) => [
      name === 'unknown' ? 'without a valid token' : name,
      answered,
      refused,
      lastRefused ? { at: lastRefused.at } : '',
      lastRefused ? [lastRefused.reason, lastRefused.problem ?? []].flat().join(': ') : '',
    ]),
  );
