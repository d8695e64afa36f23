import type { FeatureTests } from '../feature-tests.ts';

export const ownershipTests: FeatureTests = {
  name: 'ownership',
  sample: 'rules: [{ operations: [bellhop.alerts], roles: [anyone], then: allow }]\n',
};
