import type { FeatureTests } from '../feature-tests.ts';

export const breakGlassTests: FeatureTests = {
  name: 'break-glass',
  sample: `roles: { all: { users: [U0ALICE] }, leads: { users: [U0BOB] } }
rules: [{ risk: change, roles: [all], then: approve, approvers: [leads], break_glass: [all] }]
announce: { break_glass: C0OPS }
`,
};
