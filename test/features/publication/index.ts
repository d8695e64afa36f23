import type { ForwardResult } from '../../../src/features/publication/forward-batch.ts';
import { handOutOutcomes } from '../../../src/features/publication/hand-out.ts';
import { forwardPart } from '../../../src/features/publication/observe.ts';
import type { FeatureTests } from '../feature-tests.ts';
import { forwardingContract } from './store-contract.ts';

export const publicationTests: FeatureTests = {
  name: 'publication',
  sample: 'audit: { publish: [https://witness.example.com/log] }\n',
  storeContracts: [forwardingContract],
  alertLabels: { part: [forwardPart], outcome: handOutOutcomes, result: ['stub' satisfies ForwardResult] },
};
