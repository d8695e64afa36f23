import type { Feature } from '../../host/feature.ts';
import { agentNamed } from '../../model/values/actor.ts';
import { suggestionEvents } from './events.ts';
import { dismissSuggestion, pressSuggestion } from './press.ts';
import { dismissAction, renderSuggestion } from './render.ts';
import { agentsSection } from './section.ts';

/** Lets programs read, and suggest changes to people, through `POST /mcp`. */
export const agents: Feature = {
  section: agentsSection,
  events: Object.values(suggestionEvents),
  offers: {
    owns: (source) => agentNamed({ user: source }) !== undefined,
    press: pressSuggestion,
    render: renderSuggestion,
    actions: { [dismissAction]: dismissSuggestion },
  },
};
