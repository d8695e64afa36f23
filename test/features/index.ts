import { agentsTests } from './agents/index.ts';
import { alertsTests } from './alerts/index.ts';
import { breakGlassTests } from './break-glass/index.ts';
import { evidenceTests } from './evidence/index.ts';
import type { FeatureTests } from './feature-tests.ts';
import { holdsTests } from './holds/index.ts';
import { onCallTests } from './on-call/index.ts';
import { ownershipTests } from './ownership/index.ts';
import { publicationTests } from './publication/index.ts';
import { stepUpTests } from './step-up/index.ts';

/** One entry for each feature in `src/features/index.ts`. */
export const featureTests: readonly FeatureTests[] = [
  agentsTests,
  alertsTests,
  breakGlassTests,
  evidenceTests,
  holdsTests,
  onCallTests,
  ownershipTests,
  publicationTests,
  stepUpTests,
];
