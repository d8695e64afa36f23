import { z } from 'zod';

import type { Finding } from '../../model/rulebook/finding.ts';
import { peopleByName } from '../../model/rulebook/people-schema.ts';
import { isPlainAddress, label, secretReference, type Written } from '../../model/rulebook/schema-parts.ts';
import { everAsked, type Policy } from '../../model/rulebook/rulebook.ts';
import type { RulebookFile } from '../../model/rulebook/schema.ts';
import { signIn } from './gate.ts';
import { type DemandKey, ownSection, rated } from '../../model/section.ts';
import { someOf } from '../../text/words.ts';

const identity = z
  .strictObject({
    issuer: z
      .string()
      .max(2000)
      .refine((text) => text === 'local' || isPlainAddress(text), {
        error:
          'must be an https:// address, such as https://login.example.com, without a user, “?” or “#”; http:// only for this machine.',
      })
      .describe(
        "the issuer's URL, `https://…`, without `/.well-known/openid-configuration`; `local` is the playground's",
      ),
    client_id: label.describe("Bellhop's client id at the issuer"),
    client_secret: secretReference.describe('`secret:name` of the client secret'),
    claim: label
      .default('email')
      .describe(
        'claim of the ID token whose values `people` lists: `email` (verified by the issuer), `sub` or another',
      ),
    acr_values: label
      .optional()
      .describe("your provider's `acr` values, separated by spaces; a sign-in must satisfy one of them"),
    match: z
      .literal('email')
      .optional()
      .describe(
        '`email` looks people up [in Slack](step-up.md#what-happens) by e-mail address if `people` does not list them',
      ),
  })
  .refine(({ claim, match }) => match === undefined || claim === 'email', {
    path: ['match'],
    error: 'needs “claim: email”, because Slack looks people up by e-mail address.',
  })
  .transform(({ client_id: clientId, client_secret: clientSecret, acr_values: acr = '', ...rest }) => {
    return { ...rest, clientId, clientSecret, acrValues: acr.split(' ').filter((word) => word !== '') };
  });

/** A sign-in has to use one of the methods in `acrValues`, as the issuer names them. */
export interface Identity extends Omit<Written<typeof identity>, 'match'> {
  /** Slack user ids, `U…`, by the value of the claim. E-mail addresses are in lower case. */
  readonly people: Readonly<Record<string, string>>;
  /** Whether people who are not listed are looked up in Slack by e-mail address. */
  readonly byEmail: boolean;
}

export const identitySection = ownSection('identity', {
  within: 'file',
  after: 'people',
  keys: {
    identity: identity
      .optional()
      .describe('single sign-on (OpenID Connect), for rules with [`step_up`](step-up.md)'),
  },
  value: (read, file) => identityOf(read.identity, file),
  *mistakes({ identity: read }, { file: { people = {} } }) {
    if (read && read.match !== 'email' && Object.keys(people).length === 0)
      yield {
        path: ['identity'],
        at: 'key',
        text: 'lists no one known in Slack. List people: { alice@example.com: U0ALICE }, or set “match: email”.',
      };
  },
  secrets: (value) =>
    value
      ? [
          {
            path: ['identity', 'client_secret'],
            reference: value.clientSecret,
            without: value.issuer === 'local' ? undefined : 'no one can sign in',
          },
        ]
      : [],
  warnings: (value, { policy }, { unusable, isReachable }) => [
    ...rated('warning', peopleWithoutLogin(policy, value)),
    ...(isReachable === false ? rated('error', unreachable(policy)) : []),
    ...(unusable !== undefined && value?.issuer === 'local' ? rated(unusable, [localIssuer]) : []),
  ],
});

export const stepUpKey: DemandKey = {
  key: 'step_up',
  description: '`true` makes people [sign in](step-up.md) before they confirm, approve or break glass',
  demand: signIn,
  needs: {
    key: 'identity',
    text: 'needs “identity”, where people sign in: identity: { issuer: https://login.example.com, client_id: bellhop, client_secret: secret:oidc }.',
  },
};

function identityOf(
  read: Written<typeof identity> | undefined,
  { people }: Pick<RulebookFile, 'people'>,
): Identity | undefined {
  if (!read) return undefined;
  const { match, ...rest } = read;
  // Only e-mail addresses ignore case. Other ids that differ in case belong to different people.
  return {
    ...rest,
    people: rest.claim === 'email' ? peopleByName(people) : people,
    byEmail: match === 'email',
  };
}

const localIssuer: Finding = {
  path: ['identity', 'issuer'],
  text: "“local” is the playground's issuer, which is not running here. Use your own issuer's https:// address.",
};

/** Without a public address of Bellhop, no one can sign in. */
const unreachable = ({ rules }: Policy): readonly Finding[] =>
  rules.flatMap(({ demands = [] }, index): readonly Finding[] => {
    if (!demands.includes(signIn)) return [];
    const text =
      'needs PUBLIC_URL, the address at which browsers reach Bellhop, such as https://bellhop.example.com.';
    return [{ path: ['rules', index, 'step_up'], at: 'key', text }];
  });

/** Each listed person must be able to sign in if a rule requires a sign-in. The file does not say who is in a group or on call. */
const peopleWithoutLogin = ({ rules, roles }: Policy, login: Identity | undefined): readonly Finding[] =>
  rules.flatMap((rule, index): readonly Finding[] => {
    const { demands = [], effect, roles: requesters = [] } = rule;
    if (!demands.includes(signIn) || !login || login.byEmail) return [];
    const known = Object.values(login.people);
    const asked = (effect === 'approve' ? everAsked(rule) : requesters).flatMap(
      (name) => roles[name]?.users ?? [],
    );
    const strangers = [...new Set(asked)].filter((user) => !known.includes(user));
    if (strangers.length === 0) return [];
    const text = `${someOf(strangers)} can't sign in, because “people” does not list them. Add them there.`;
    return [{ path: ['rules', index, 'step_up'], at: 'key', text }];
  });
