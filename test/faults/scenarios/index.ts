import type { Scenario } from '../scenario.ts';
import { processScenarios } from './processes.ts';
import { serviceScenarios } from './service.ts';
import { slackScenarios } from './slack-scenarios.ts';
import { storeScenarios } from './stores.ts';

/** All scenarios, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  ...processScenarios,
  ...storeScenarios,
  ...serviceScenarios,
  ...slackScenarios,
];
