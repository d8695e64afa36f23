import type { Declare } from '../../host/metrics.ts';
import type { Host } from '../../host/feature.ts';
import { type CallerTally, createTally } from '../../host/tally.ts';
import { numbers, tableOf, texts } from '../../bellhop/parts/report-parts.ts';
import type { AuditDraft } from '../../model/records/audit.ts';
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

const unknown = 'unknown';

/** Callers without a valid token are counted together. */
export function observeAgents(
  context: Pick<Host, 'clock' | 'log'>,
  metrics: ReturnType<typeof agentMetrics>,
) {
  const tally = createTally(context, 'agent', 'agent call refused');
  const afterCall: OnAgentCall = (name = unknown, outcome, problem) => {
    metrics.calls.inc({ agent: name, outcome });
    tally.count(name, outcome, outcome === 'answered', problem);
  };
  return {
    afterCall,
    recorded(entry: AuditDraft): void {
      const suggestion = entrySuggestion.of(entry);
      if (!suggestion) return;
      const agent = agentNamed({ user: suggestion.agent }) ?? unknown;
      metrics.suggestions.inc({ agent, outcome: entry.event });
    },
    problems: () => tally.callers().flatMap(agentProblem),
    tables: () => agentsTable(tally.callers()),
  };
}

/** In refusals. */
const keepsBeingRefused = 5;

/** Callers without a token are listed, but are not a problem of Bellhop's. */
function agentProblem({ name, refusedInARow, lastRefused }: CallerTally): readonly string[] {
  if (name === unknown || refusedInARow < keepsBeingRefused) return [];
  const why = lastRefused?.problem ?? lastRefused?.reason ?? '';
  return [`the agent ${name} keeps being refused (${why})`];
}

const agentsTable = (agents: readonly CallerTally[]): readonly Table[] =>
  tableOf(
    'Agents, since this replica started',
    [...texts('Agent'), ...numbers('Answered', 'Refused'), ...texts('Last refused', 'Why')],
    agents.map(({ name, taken, refused, lastRefused }) => [
      name === unknown ? 'without a valid token' : name,
      taken,
      refused,
      lastRefused ? { at: lastRefused.at } : '',
      lastRefused ? [lastRefused.reason, lastRefused.problem ?? []].flat().join(': ') : '',
    ]),
  );
