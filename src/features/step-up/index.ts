import type { Feature } from '../../host/feature.ts';
import { checkIssuer } from './check-issuer.ts';
import { connectIssuer } from './connect-issuer.ts';
import { loginRefused } from './events.ts';
import { linkNote, signInGate } from './gate.ts';
import { createPressesHandler } from './presses.ts';
import { createStepUpRoute } from './route.ts';
import { identitySection, stepUpKey } from './section.ts';

/** Changes that need SSO: people sign in before their click counts. */
export const stepUp: Feature = {
  section: identitySection,
  events: [loginRefused],
  demandKey: stepUpKey,
  gate: signInGate,
  checkOutside: checkIssuer,
  start(host) {
    const { issuer, close } = connectIssuer(host);
    const { publicUrl = '', api, stopping, rulebook, log } = host;
    const { userByEmail } = api;
    const handle = createStepUpRoute({
      context: host,
      issuer,
      publicUrl,
      userByEmail,
      stopping,
    });
    return {
      handlers: [createPressesHandler(host, { ...signInGate(host), notes: [linkNote] })],
      routes: [{ path: /^\/step-up(?:\/(.*))?$/u, handle }],
      async checkAtStart() {
        if (!identitySection.of(rulebook())) return;
        try {
          await (await issuer()).check();
        } catch (error) {
          const text = 'no one can sign in now, so changes under rules with step_up cannot be approved';
          log.error({ err: error }, text);
        }
      },
      close,
    };
  },
};
