import { identitySection } from '../features/step-up/section.ts';
import type { Config } from '../config/environment/environment.ts';
import type { Store } from '../store/store.ts';
import type { SlackContext } from '../slack/messages/context.ts';
import type { NamedRoute } from '../slack/receive/server.ts';
import type { Issuer } from '../features/step-up/issuer.ts';
import { createStepUpRoute } from '../features/step-up/route.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Endpoints } from './endpoints.ts';

interface StepUpParts {
  readonly config: Pick<Config, 'publicUrl'>;
  readonly endpoints: Pick<Endpoints, 'slack'>;
  readonly slack: Pick<SlackConnection, 'lanes' | 'stopping'>;
  readonly store: Store;
}

export interface StepUp {
  readonly route: NamedRoute;
  /** Logs if rules require sign-ins that can't work now. Never rejects. */
  readonly check: () => Promise<void>;
}

/** Connects the login for rules with `step_up`. Without PUBLIC_URL, Bellhop never makes a link. */
export function connectStepUp(
  context: SlackContext,
  { config: { publicUrl = '' }, endpoints, slack, store }: StepUpParts,
): StepUp {
  const { clock, log, rulebook, resolveSecret } = context;
  let loaded: Promise<Issuer> | undefined;
  /** The issuer's library takes memory and time to load, and only rules with `step_up` need that library. */
  const issuer = () =>
    (loaded ??= import('../features/step-up/issuer.ts').then(({ createIssuer }) =>
      createIssuer({
        rulebook,
        resolveSecret,
        clock,
        redirectUri: `${publicUrl}/step-up/callback`,
        localIssuer: endpoints.slack.issuer,
      }),
    ));
  return {
    route: createStepUpRoute({
      context: { ...context, store },
      issuer,
      publicUrl,
      userByEmail: slack.lanes.answers.userByEmail,
      stopping: () => slack.stopping(),
    }),
    async check() {
      if (!identitySection.of(rulebook())) return;
      try {
        await (await issuer()).check();
      } catch (error) {
        const text = 'no one can sign in now, so changes under rules with step_up cannot be approved';
        log.error({ err: error }, text);
      }
    },
  };
}
