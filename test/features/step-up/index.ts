import type { FeatureTests } from '../feature-tests.ts';

const identity = `people: { carol@example.com: U0CAROL, alice@example.com: U0ALICE }
identity: { issuer: "https://login.example.com", client_id: bellhop, client_secret: secret:oidc }
`;

export const stepUpTests: FeatureTests = {
  name: 'step-up',
  sample: identity,
  held: {
    rules: (text) => text.replace('then: confirm', 'then: confirm, step_up: true') + identity,
    env: { PUBLIC_URL: 'https://bellhop.example.com', BELLHOP_SECRET_OIDC: 'secret of the client' },
    refusal:
      "This version of Bellhop can't ask people to sign in, which this request requires. Nothing was run.",
  },
  day: async (publicUrl) => (await import('./program/day.ts')).signInOnThatDay(publicUrl),
};
