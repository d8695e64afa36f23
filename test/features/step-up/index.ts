import type { FeatureTests } from '../feature-tests.ts';

export const stepUpTests: FeatureTests = {
  name: 'step-up',
  sample: `people: { carol@example.com: U0CAROL }
identity: { issuer: "https://login.example.com", client_id: bellhop, client_secret: secret:oidc }
`,
  day: async (publicUrl) => (await import('./program/day.ts')).signInOnThatDay(publicUrl),
};
