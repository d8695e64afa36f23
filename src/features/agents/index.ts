import { type Feature, withMetrics } from '../../host/feature.ts';
import { agentKey, agentNamed } from './suggestions/agent-actor.ts';
import { entrySuggestion, suggestionEvents } from './suggestions/events.ts';
import { agentMetrics, observeAgents } from './observe.ts';
import { dismissSuggestion, pressSuggestion } from './press.ts';
import { dismissAction, renderSuggestion } from './render.ts';
import { atAgents, createAgentsRoute } from './route.ts';
import { agentsSection } from './suggestions/section.ts';
import { startServer } from './start-server.ts';
import { createExpiryHandler } from './suggestions/suggestion-bounds.ts';

/** Lets programs read, and suggest changes to people, through `POST /mcp`. */
export const agents: Feature = {
  section: agentsSection,
  programKey: agentKey,
  events: Object.values(suggestionEvents),
  exportColumns: {
    suggestion_id: (entry) => entrySuggestion.of(entry)?.id,
    suggested_by: (entry) => entrySuggestion.of(entry)?.agent,
  },
  offers: {
    owns: (source) => agentNamed({ user: source }) !== undefined,
    press: pressSuggestion,
    render: renderSuggestion,
  },
  buttons: {
    [dismissAction]: (context, { action, context: { caller } }) =>
      context.inProgress.run(caller.actor, () => dismissSuggestion(context, caller, action.value ?? '')),
  },
  // The agent in examples/bellhop.example.yaml, which the agent drill uses. The secret is its token.
  localDoor: {
    path: atAgents.address,
    secret: 'holmes',
    isOpen: (rulebook) => agentsSection.of(rulebook)['holmes']?.token === 'secret:holmes',
  },
  ...withMetrics(agentMetrics, (host, metrics) => {
    const { afterCall, ...observed } = observeAgents(host, metrics);
    const handle = createAgentsRoute({
      ...host,
      agents: () => agentsSection.of(host.rulebook()),
      serve: startServer(host, afterCall),
      afterCall,
    });
    return {
      ...observed,
      handlers: [createExpiryHandler(host)],
      routes: [{ ...atAgents, handle: (_, request, response) => handle(request, response) }],
    };
  }),
};
