import { client } from './client.ts';
import type { FeatureDay } from '../../feature-tests.ts';
import { carol, peopleOf, read } from '../../../reworded/day.ts';
import { until } from '../../../until.ts';
import { startBadIssuer } from './bad-issuer.ts';
import { linksOf } from './signing-in.ts';
import { createVisitor } from './visitor.ts';

const rule =
  '  - { name: sign in, operations: [cloud.start], roles: [leads], then: confirm, step_up: true }\n';

/** Carol starts web-1, for which she has to sign in. */
export async function signInOnThatDay(publicUrl: string): Promise<FeatureDay> {
  const issuer = await startBadIssuer();
  return {
    rules: (text) => `${text.replace(/^rules:\n/mu, (line) => line + rule)}
identity: { issuer: "${issuer.url}", client_id: ${client.id}, client_secret: secret:oidc }
`,
    env: { PUBLIC_URL: publicUrl, BELLHOP_SECRET_OIDC: client.secret },
    beside: issuer,
    async live(stage) {
      const { ask, press, seen } = peopleOf(stage);
      await press(carol, await ask(carol, '/cloud start web-1', 'Start web-1: proposed'), 'Start web-1');
      const link = await until(async () =>
        (await stage.messages(carol))
          .map((message) => read(message))
          .flatMap(linksOf)
          .at(-1),
      );
      const visitor = createVisitor();
      const page = await visitor.open(link);
      const done = await visitor.submit(page);
      await seen(carol, 'Start web-1: succeeded');
      return [page, done, await visitor.get(link)].map(({ status, text }) => ({ status, text }));
    },
  };
}
