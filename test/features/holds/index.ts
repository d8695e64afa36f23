import type { FeatureTests } from '../feature-tests.ts';

export const holdsTests: FeatureTests = {
  name: 'holds',
  sample: `roles: { all: { users: [U0ALICE] } }
rules: [{ operations: [bellhop.hold], roles: [all], then: allow }]
`,
};
