import { z } from 'zod';

import type { Identity } from '../../../model/rulebook.ts';
import { label, secretReference } from './schema-parts.ts';
import { byName, isSafeAddress, type peopleMap } from './schedule-schema.ts';

/** The issuer's own spelling, without “?” or “#” and what follows. */
const isIssuer = (text: string): boolean => text === 'local' || (isSafeAddress(text) && !/[?#]/u.test(text));

export const identity = z
  .strictObject({
    issuer: z
      .string()
      .max(2000)
      .refine(isIssuer, {
        error:
          'must be an https:// address, such as https://login.example.com, without a user, “?” or “#”; http:// only for this machine.',
      })
      .describe(
        'the OpenID Connect issuer, `https://…`, whose `/.well-known/openid-configuration` Bellhop reads; `local` is the one of the playground',
      ),
    client_id: label.describe('what the issuer calls Bellhop'),
    client_secret: secretReference.describe('`secret:name` of the client secret'),
    claim: label
      .default('email')
      .describe(
        'what of the ID token names the person, by which `people` lists them: `email`, `sub` or another. An address that the issuer does not call verified counts for nothing',
      ),
    acr_values: label
      .optional()
      .describe(
        "your provider's words for ways to sign in, with spaces between them: one of them is asked for and required",
      ),
    match: z
      .literal('email')
      .optional()
      .describe(
        '`email`: anyone `people` does not list is looked up in Slack by e-mail address, with the scope `users:read.email`. People who can change addresses in Slack then decide who can sign in as whom',
      ),
  })
  .refine(({ claim, match }) => match === undefined || claim === 'email', {
    path: ['match'],
    error: 'goes with “claim: email”: Slack looks people up by e-mail address.',
  });

interface IdentityFile {
  readonly identity?: z.output<typeof identity> | undefined;
  readonly people: z.output<typeof peopleMap>;
}

export function identityOf({ identity: written, people }: IdentityFile): Identity | undefined {
  if (!written) return undefined;
  const { issuer, client_id: clientId, client_secret: clientSecret, claim, acr_values: acr, match } = written;
  return {
    issuer,
    clientId,
    clientSecret,
    claim,
    acrValues: acr?.split(' ').filter((word) => word !== '') ?? [],
    // Only e-mail addresses are the same in capitals: another id that differs in them is another person's.
    people: claim === 'email' ? byName(people) : people,
    byEmail: match === 'email',
  };
}
