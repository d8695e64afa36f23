import type { FeatureTests } from '../feature-tests.ts';

export const evidenceTests: FeatureTests = { name: 'evidence' };
