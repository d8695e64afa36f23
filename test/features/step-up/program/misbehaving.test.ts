import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { until } from '../../../until.ts';
import type { Message, Stage } from '../../../program/stage.ts';
import { startBadIssuer, type BadIssuer, type Misbehaviour } from './bad-issuer.ts';
import { client } from './client.ts';
import { askFor, entriesOf, linkFor, requestIdOf, setStageWithIssuer, storedText } from './signing-in.ts';
import { createVisitor, formOf } from './visitor.ts';

let stage: Stage;
let issuer: BadIssuer;
let card: Message;
beforeAll(async () => {
  ({ stage, issuer } = await setStageWithIssuer(startBadIssuer, {
    identity: ', acr_values: phr',
    env: { LOG_LEVEL: 'trace' },
  }));
});
afterAll(() => stage.close());
// Each test has a card of its own, because further presses on one card are shown less often.
beforeEach(async () => {
  issuer.misbehave({});
  card = await askFor(stage);
});

/** Restarts the bot. It reads the issuer's metadata and keys again. */
async function restart(): Promise<void> {
  await stage.bot.end('SIGTERM');
  await stage.restart();
}

const claims = (change: (now: number) => Readonly<Record<string, unknown>>): Misbehaviour => ({
  claims: change,
});
const refusals = async () =>
  (await entriesOf(stage, requestIdOf(card))).filter(({ event }) => event === 'login refused');

describe('a login is refused, said on the page and recorded', () => {
  it.each<[string, Misbehaviour, RegExp]>([
    ['for another nonce', claims(() => ({ nonce: 'n' })), /nonce/u],
    ['without a nonce', claims(() => ({ nonce: undefined })), /nonce/u],
    ['for another audience', claims(() => ({ aud: 'other' })), /aud/u],
    ['for further audiences', claims(() => ({ aud: [client.id, 'other'] })), /aud/u],
    ['for another party', claims(() => ({ azp: 'other' })), /azp/u],
    ['of another issuer', claims(() => ({ iss: 'https://other.example.com' })), /iss/u],
    ['that is over', claims((now) => ({ exp: now - 10 })), /exp/u],
    ['without an expiry', claims(() => ({ exp: undefined })), /exp/u],
    ['without auth_time', claims(() => ({ auth_time: undefined })), /auth_time/u],
    ['from before the link', claims((now) => ({ auth_time: now - 60 })), /authentication/u],
    ['from the future', claims((now) => ({ auth_time: now + 30 })), /auth_time/u],
    ['in another way', claims(() => ({ acr: 'pwd' })), /stronger sign-in/u],
    ['in a way that it does not say', claims(() => ({ acr: undefined })), /stronger sign-in/u],
    ['without a subject', claims(() => ({ sub: undefined })), /sub/u],
    ['of an empty subject', claims(() => ({ sub: '' })), /sub/u],
    ['of another person', claims(() => ({ email: 'bob@example.com' })), /signed in as bob@example.com/u],
    [
      'of a stranger',
      claims(() => ({ email: 'mallory@example.com' })),
      /does not say who mallory@example.com is/u,
    ],
    ['with an address that is not verified', claims(() => ({ email_verified: false })), /verified/u],
    ['with an address not verified in words', claims(() => ({ email_verified: 'false' })), /verified/u],
    ['with an address of which nothing is said', claims(() => ({ email_verified: undefined })), /verified/u],
    ['with several addresses', claims(() => ({ email: ['carol@example.com'] })), /verified/u],
    ['without an address', claims(() => ({ email: undefined })), /verified/u],
    ['with no signature', { algorithm: 'none' }, /alg/u],
    ['signed with the client secret', { algorithm: 'HS256' }, /alg/u],
    ['signed with what it does not announce', { algorithm: 'RS512' }, /alg/u],
    ['signed with another key', { otherKey: true }, /signature/u],
    [
      'that comes from another issuer',
      { answer: (back) => back.set('iss', 'https://other.example.com') },
      /iss/u,
    ],
    ['that does not say where it comes from', { answer: (back) => back.delete('iss') }, /iss/u],
    ['without a code', { answer: (back) => back.delete('code') }, /code/u],
    ['with a code that is not its own', { answer: (back) => back.set('code', 'stolen') }, /invalid_grant/u],
    ['that the person gave up', { answer: (back) => back.set('error', 'access_denied') }, /access_denied/u],
  ])('%s', async (_, how, why) => {
    const before = (await refusals()).length;
    const link = await linkFor(stage, 'U0CAROL', card);
    issuer.misbehave(how);
    const page = await createVisitor().open(link);
    expect([page.status, page.text]).toEqual([403, expect.stringMatching(why)]);
    expect(page.text).not.toContain('<form');
    const [entry] = (
      await until(async () => {
        const all = await refusals();
        return all.length > before && all;
      })
    ).slice(-1);
    expect(entry).toMatchObject({ actor: { user: 'U0CAROL' } });
    expect(entry?.['note']).toMatch(why);
    expect(await stage.calls('rebootInstance')).toBe(0);
  });

  it('with another state, and the sign-in that was begun continues', async () => {
    const visitor = createVisitor();
    const link = await linkFor(stage, 'U0CAROL', card);
    let answer = new URLSearchParams();
    issuer.misbehave({
      answer(back) {
        answer = new URLSearchParams(back);
        back.set('state', 'x');
      },
    });
    const page = await visitor.open(link);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('not started in this browser')]);
    const right = await visitor.get(`${stage.botUrl}/step-up/callback?${answer.toString()}`);
    expect([right.status, formOf(right.text).action]).toEqual([200, 'approve']);
    const replayed = await visitor.get(`${stage.botUrl}/step-up/callback?${answer.toString()}`);
    expect([replayed.status, replayed.text]).toEqual([410, expect.stringContaining('already used')]);
  });

  it('signed with the client secret, though the issuer announces that', async () => {
    const link = await linkFor(stage, 'U0CAROL', card);
    const metadata = { id_token_signing_alg_values_supported: ['HS256'] };
    issuer.misbehave({ algorithm: 'HS256', metadata });
    await restart();
    const page = await createVisitor().open(link);
    expect([page.status, page.text]).toEqual([
      403,
      expect.stringMatching(/sign the ID token with a published key/u),
    ]);
  });

  it('in another browser than the one that followed the link', async () => {
    const link = await linkFor(stage, 'U0CAROL', card);
    const visitor = createVisitor();
    const toIssuer = (await visitor.get(link)).headers.get('location') ?? '';
    const page = await createVisitor().open(toIssuer);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('not started in this browser')]);
  });
});

describe('the claim that names the person', () => {
  it('comes from the userinfo endpoint where the token lacks it', async () => {
    issuer.misbehave({
      claims: () => ({ email: undefined, email_verified: undefined }),
      userInfo: { sub: 'subject-of-carol', email: 'carol@example.com', email_verified: true },
      metadata: {},
    });
    await restart();
    const page = await createVisitor().open(await linkFor(stage, 'U0CAROL', card));
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('carol@example.com')]);
  });

  it('is not taken from another person of that endpoint', async () => {
    issuer.misbehave({
      claims: () => ({ email: undefined, email_verified: undefined }),
      userInfo: { sub: 'another', email: 'carol@example.com', email_verified: true },
    });
    const page = await createVisitor().open(await linkFor(stage, 'U0CAROL', card));
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('sub')]);
  });
});

describe('an issuer that does not answer', () => {
  it.each<[string, Misbehaviour]>([
    ['down for the token', { down: '/token' }],
    ['down for its keys', { down: '/jwks' }],
    ['silent for the token', { hangs: '/token' }],
    ['silent for its keys', { hangs: '/jwks' }],
  ])('%s: nothing is approved, and the page says within 20 s to try again', async (_, how) => {
    // Bellhop does not request keys that it already has.
    if ([how.down, how.hangs].includes('/jwks')) await restart();
    const link = await linkFor(stage, 'U0CAROL', card);
    issuer.misbehave(how);
    const began = Date.now();
    const page = await createVisitor().open(link);
    expect([page.status, page.text]).toEqual([
      503,
      expect.stringContaining('Nothing was approved. Try again'),
    ]);
    expect(Date.now() - began).toBeLessThan(20_000);
    expect(await stage.calls('rebootInstance')).toBe(0);
  });

  it.each<[string, Misbehaviour]>([
    ['down', { down: '/.well-known/openid-configuration' }],
    ['silent', { hangs: '/.well-known/openid-configuration' }],
    ['of another name', { metadata: { issuer: 'https://other.example.com' } }],
  ])('is logged at the start where it is %s, and a link stays good until it is back', async (_, how) => {
    issuer.misbehave(how);
    await restart();
    await until(() => stage.bot.output().includes('no one can sign in now'));
    const link = await linkFor(stage, 'U0CAROL', card);
    const visitor = createVisitor();
    const refused = await visitor.get(link);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(stage.bot.output()).toMatch(/"reason":"[^"]+".*"msg":"(?:no login possible|login refused)"/u);
    expect(refused.headers.get('location')).toBe(null);
    issuer.misbehave({});
    expect((await visitor.open(link)).status).toBe(200);
  });
});

it('an issuer that refuses the client is a matter for the people who run Bellhop', async () => {
  const link = await linkFor(stage, 'U0CAROL', card);
  issuer.misbehave({ down: '/token', status: 401 });
  const page = await createVisitor().open(link);
  expect([page.status, page.text]).toEqual([
    503,
    expect.stringMatching(/does not accept .*client_id and client_secret\. Nothing was approved\./u),
  ]);
});

it('if it is down, one message in the thread tells the requester that no one can sign in', async () => {
  issuer.misbehave({ down: '/token' });
  const link = await linkFor(stage, 'U0CAROL', card);
  expect((await createVisitor().open(link)).status).toBe(503);
  issuer.misbehave({});
  const said = await stage.seen('U0ALICE', ({ text }) => text.includes('no one can sign in'));
  expect(said.text).toMatch(
    /<@U0ALICE> ⚠️ \*Reboot db-1\*.*: \*Approve\* was pressed by <@U0CAROL>, but no one can sign in\. SSO is not available: it [^.]+\. Nothing was approved\. Try again in a minute\. The request stays open until/u,
  );
});

describe('each secret of a sign-in', () => {
  it('is in no log and not in the store', async () => {
    const link = await linkFor(stage, 'U0CAROL', card);
    const visitor = createVisitor();
    const page = await visitor.open(link);
    expect((await visitor.submit(page)).status).toBe(200);
    await stage.seen('U0ALICE', ({ text }) => text.includes('db-1: succeeded'));
    await stage.bot.end('SIGTERM');
    const cookie = [...visitor.cookies.values()].join();
    const token = link.split('/').at(-1) ?? '';
    const secrets = [
      ...issuer.secrets,
      client.secret,
      token,
      'access-token-of-carol',
      cookie.split('=')[1] ?? '',
    ];
    const kept = `${stage.bot.output()}${await storedText(stage)}`;
    expect(kept).toContain('subject-of-carol');
    const leaked = secrets.filter((secret) => secret.length > 5 && kept.includes(secret));
    expect(leaked).toEqual([]);
    expect(secrets.length).toBeGreaterThan(50);
  });
});
