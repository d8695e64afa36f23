import { randomBytes } from 'node:crypto';

import type { Host } from '../../host/feature.ts';
import type { LocalIssuer } from './discovery.ts';
import type { Issuer } from './issuer.ts';

/** Without PUBLIC_URL, Bellhop never makes a link. */
export function connectIssuer(host: Host) {
  const { publicUrl = '', slackIsLocal } = host;
  const redirectUri = `${publicUrl}/step-up/callback`;
  let local: ReturnType<typeof startLocalIssuer> | undefined;
  const localIssuer: LocalIssuer | undefined = slackIsLocal
    ? (clientId) => (local ??= startLocalIssuer(clientId, redirectUri))
    : undefined;
  let loaded: Promise<Issuer> | undefined;
  return {
    /** The issuer's library takes memory and time to load, and only rules with `step_up` need that library. */
    issuer: () =>
      (loaded ??= import('./issuer.ts').then(({ createIssuer }) =>
        createIssuer({ ...host, redirectUri, localIssuer }),
      )),
    close: async () => (await local?.catch(() => undefined))?.close(),
  };
}

async function startLocalIssuer(clientId: string, redirectUri: string) {
  const { startIssuer } = await import('../../../playground/issuer/start-issuer.ts');
  const { PEOPLE, emailOf } = await import('../../../playground/workspace/conversations/directory.ts');
  const clientSecret = randomBytes(24).toString('hex');
  const people = PEOPLE.flatMap((person) => {
    const email = emailOf(person);
    return email === undefined
      ? []
      : [{ sub: person.id, name: person.real_name, email, email_verified: true }];
  });
  const issuer = await startIssuer({ port: 0, clientId, clientSecret, redirectUri, people, acr: 'phr' });
  return { url: issuer.url, clientSecret, close: () => issuer.close() };
}
