import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { Message, Stage } from '../../../program/stage.ts';
import { type BadIssuer, startBadIssuer } from './bad-issuer.ts';
import { client } from './client.ts';
import { askFor, linkFor, setStageWithIssuer } from './signing-in.ts';
import { createVisitor, type Visit } from './visitor.ts';

const folder = join(import.meta.dirname, 'sign-in');
const claims = z.record(z.string(), z.unknown());
const reported = z.strictObject({
  /** The tool, and how its reply differs from the replies of others. */
  sentBy: z.string(),
  /** Claims in addition to Carol's usual ones; null removes a claim. */
  idToken: claims,
  userinfo: claims.optional(),
  right: z.string(),
});
const filesIn = <T>(part: string, schema: z.ZodType<T>): readonly T[] =>
  readdirSync(join(folder, part))
    .filter((name) => name.endsWith('.json'))
    .map((name) => schema.parse(JSON.parse(readFileSync(join(folder, part, name), 'utf8'))));
const cases = filesIn('', reported);

const errors = filesIn(
  'errors',
  z.strictObject({
    sentBy: z.string(),
    endpoint: z.string(),
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    right: z.string(),
  }),
);
const documents = filesIn('discovery', z.strictObject({ sentBy: z.string(), metadata: claims }));

let stage: Stage;
let issuer: BadIssuer;
let card: Message;
beforeAll(async () => {
  ({ stage, issuer } = await setStageWithIssuer(startBadIssuer));
  issuer.misbehave({ userInfo: {} });
  await restart();
});
afterAll(() => stage.close());
beforeEach(async () => {
  // It announces an endpoint for userinfo.
  issuer.misbehave({ userInfo: {} });
  // Each test has a card of its own, because further presses on one card are shown less often.
  card = await askFor(stage);
});

/** The page to which Carol's browser returns. It has a button to approve, or a reason why not. */
const signIn = async (): Promise<Visit> => createVisitor().open(await linkFor(stage, 'U0CAROL', card));

async function restart(): Promise<void> {
  await stage.bot.end('SIGTERM');
  await stage.restart();
}

describe('claims as identity providers send them', () => {
  it.each(cases.map((one) => [one.sentBy, one] as const))('%s', async (_, { idToken, userinfo, right }) => {
    const changed = Object.fromEntries(
      Object.entries(idToken).map(([name, value]) => [name, value ?? undefined]),
    );
    issuer.misbehave({ claims: () => changed, userInfo: userinfo ?? {} });
    const page = await signIn();
    const isIn = right === 'signed in';
    expect([page.status, page.text]).toEqual([
      isIn ? 200 : 403,
      expect.stringContaining(isIn ? 'carol@example.com' : right),
    ]);
    expect(page.text.includes('<form')).toBe(isIn);
  });
});

/** Without these claims in the ID token, Bellhop requests them from userinfo. */
const thin = () => ({ email: undefined, email_verified: undefined });

describe('error replies as identity providers send them', () => {
  it.each(errors.map((one) => [one.sentBy, one] as const))(
    '%s',
    async (_, { endpoint, status, headers, body, right }) => {
      const link = await linkFor(stage, 'U0CAROL', card);
      issuer.misbehave({ down: endpoint, status, reply: { headers, body }, claims: thin, userInfo: {} });
      const page = await createVisitor().open(link);
      expect(page.text.replaceAll('&#39;', "'")).toContain(right);
      expect(page.text).not.toContain('<form');
    },
  );
});

it.each(documents.map((one) => [one.sentBy, one] as const))('signs in with %s', async (_, { metadata }) => {
  issuer.misbehave({ metadata });
  await restart();
  expect((await signIn()).status).toBe(200);
  issuer.misbehave({ metadata, algorithm: 'HS512' });
  expect((await signIn()).text).toContain('has to sign the ID token with a published key, such as RS256');
});

describe('the client secret', () => {
  const both = { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] };

  it('has its unreserved characters as they are, for issuers that do not decode them', async () => {
    expect(client.secret).toMatch(/[-._~]/u);
    await signIn();
    const [, credentials = ''] = issuer.authorizations.at(-1)?.split(' ') ?? [];
    expect(Buffer.from(credentials, 'base64').toString()).toBe(`${client.id}:${client.secret}`);
  });

  it('goes into the body where the issuer announces both ways and refuses the header', async () => {
    issuer.misbehave({ metadata: both, refusesSecretIn: 'header' });
    await restart();
    expect((await signIn()).status).toBe(200);
    expect(issuer.authorizations.at(-1)).toBe('');
  });

  it('goes into the header where both work', async () => {
    issuer.misbehave({ metadata: both, refusesSecretIn: 'body' });
    await restart();
    expect((await signIn()).status).toBe(200);
  });
});

it('a key that the issuer has just replaced is read again at the next sign-in', async () => {
  await restart();
  expect((await signIn()).status).toBe(200);
  issuer.misbehave({ replacedKey: true });
  expect((await signIn()).status).toBe(200);
});

it('a person who is signed in already is asked to sign in again, also by issuers that ignore max_age', async () => {
  await signIn();
  expect(issuer.asked.at(-1)).toMatchObject({ max_age: '0', prompt: 'login' });
});
