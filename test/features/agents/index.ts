import type { FeatureTests } from '../feature-tests.ts';
import { earlierSuggestions } from './earlier.ts';
import { suggestionsContract } from './store-contract.ts';

export const agentsTests: FeatureTests = {
  name: 'agents',
  sample: 'agents: { holmes: { token: secret:holmes, channel: C0INC42 } }\n',
  storeContracts: [suggestionsContract],
  earlier: earlierSuggestions,
};
