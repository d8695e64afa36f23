import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Message, Stage } from '../../../program/stage.ts';
import { sqliteFile } from '../../../../src/store/sqlite/open-sqlite.ts';
import { until } from '../../../until.ts';
import { type BadIssuer, startBadIssuer } from './bad-issuer.ts';
import { askFor, entriesOf, linkFor, requestIdOf, setStageWithIssuer, submitText } from './signing-in.ts';
import { createVisitor, expectSafe, type Visit, type Visitor } from './visitor.ts';

let stage: Stage;
let issuer: BadIssuer;
beforeAll(async () => {
  ({ stage, issuer } = await setStageWithIssuer(startBadIssuer, {
    change: (rules) => rules.replace('U0CAROL]', 'U0CAROL, U0BOB]'),
  }));
});
afterAll(() => stage.close());

const seen = (text: string) => stage.seen('U0ALICE', (message) => message.text.includes(text));

/** A card, and the page on which Carol can approve it. */
async function begin(): Promise<{ card: Message; link: string; visitor: Visitor; page: Visit }> {
  const card = await askFor(stage);
  const link = await linkFor(stage, 'U0CAROL', card);
  const visitor = createVisitor();
  return { card, link, visitor, page: await visitor.open(link) };
}

describe('the way through', () => {
  it('leads from a link to the issuer with nothing of the change in the address, and back to one form', async () => {
    const { card, link, visitor, page } = await begin();
    expect(link).toMatch(new RegExp(`^${stage.botUrl}/step-up/[\\w-]{43}$`, 'u'));
    const asked = issuer.asked.at(-1);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      max_age: '0',
      prompt: 'login',
      redirect_uri: `${stage.botUrl}/step-up/callback`,
      scope: 'openid email',
    });
    expect(asked).not.toHaveProperty('acr_values');
    const token = link.split('/').at(-1) ?? '';
    expect(JSON.stringify(asked)).not.toMatch(
      new RegExp(`db-1|${requestIdOf(card)}|CAROL|carol|${token}`, 'u'),
    );
    expectSafe(page);
    for (const shown of [
      'db-1',
      'Alice (U0ALICE)',
      'carol@example.com',
      'stuck since noon',
      'rule “production”',
    ])
      expect(page.text).toContain(shown);
    expect(page.text.match(/<form/gu)).toHaveLength(1);

    const done = await visitor.submit(page);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('is running now')]);
    expectSafe(done);
    await seen('db-1: succeeded');
    const proofs = (await entriesOf(stage, requestIdOf(card))).filter(
      (entry) => entry['login'] !== undefined,
    );
    expect(proofs).toEqual([
      expect.objectContaining({
        event: 'approved',
        actor: { team: 'T0LOCAL', user: 'U0CAROL' },
        login: {
          issuer: issuer.url,
          subject: 'subject-of-carol',
          auth_time: expect.any(Number) as number,
          acr: 'phr',
        },
      }),
    ]);
  });

  it('answers Back, a reload and a second submit with the state of the request, only in the browser of the person', async () => {
    const card = await askFor(stage);
    const bob = createVisitor();
    issuer.misbehave({ claims: () => ({ sub: 'subject-of-bob', email: 'bob@example.com' }) });
    const notBobs = await bob.open(await linkFor(stage, 'U0CAROL', card));
    issuer.misbehave({});
    expect([notBobs.status, notBobs.text]).toEqual([403, expect.stringContaining('Nothing was approved')]);
    const visitor = createVisitor();
    const page = await visitor.open(await linkFor(stage, 'U0CAROL', card));
    const back = () => visitor.get(page.url);
    expect((await back()).text).toContain('The card in Slack shows what was decided.');
    expect((await visitor.submit(page)).text).toContain('is running now');
    for (const visit of [await back(), await visitor.submit(page)]) {
      expect([visit.status, visit.text]).toEqual([
        410,
        expect.stringMatching(
          /already been approved by Carol \(U0CAROL\), and (?:is running|has succeeded)/u,
        ),
      ]);
      expect(visit.headers.getSetCookie()).toEqual([]);
      expectSafe(visit);
    }
    const strangers = [
      await bob.get(notBobs.url),
      await createVisitor().get(page.url),
      await createVisitor().submit(page),
      await visitor.get(new URL('approve', page.url).href),
      await visitor.get(notBobs.url),
    ];
    expect(strangers.map(({ status }) => status)).toEqual([410, 400, 403, 405, 400]);
    for (const { text } of strangers) {
      expect(text).toContain('The card in Slack shows what was decided.');
      expect(text).not.toMatch(/Nothing was approved|Carol|been approved|db-1/u);
    }
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
  });

  it('sets one cookie that scripts cannot read, and that comes along on the way back', async () => {
    const card = await askFor(stage);
    const { headers, status } = await createVisitor().get(await linkFor(stage, 'U0CAROL', card));
    expect(status).toBe(302);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^bellhop-step-up=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/u),
    ]);
    await stage.press('U0ALICE', card, 'Cancel');
  });
});

describe('a link', () => {
  it('works once, for the person who follows it first', async () => {
    const { card, link } = await begin();
    const second = await createVisitor().get(link);
    expect([second.status, second.headers.get('location')]).toEqual([410, null]);
    expectSafe(second);
    await stage.press('U0ALICE', card, 'Cancel');
  });

  it('is not used up by a look at it', async () => {
    const card = await askFor(stage);
    const link = await linkFor(stage, 'U0CAROL', card);
    for (const method of ['HEAD', 'POST', 'OPTIONS'])
      expect((await createVisitor().get(link, { method })).status).toBe(405);
    expect((await createVisitor().open(link)).status).toBe(200);
    await stage.press('U0ALICE', card, 'Cancel');
  });

  it.each(['x', 'A'.repeat(43), 'A'.repeat(5000), '', 'a/b', '%00', '..%2f..%2fmetrics'])(
    'that was made up leads nowhere: %s',
    async (token) => {
      const visit = await createVisitor().get(`${stage.botUrl}/step-up/${token}`);
      expect([visit.status, visit.headers.get('location')]).toEqual([404, null]);
      expectSafe(visit);
    },
  );

  it.each<[string, (card: Message) => Promise<unknown>, RegExp]>([
    ['cancelled', (card) => stage.press('U0ALICE', card, 'Cancel'), /cancelled by Alice/u],
    ['denied', (card) => deny(card), /denied by Carol/u],
    ['expired', (card) => expire(card), /expired/u],
  ])('of a request that was %s says so, before and after the login', async (_, end, why) => {
    const before = await stage.calls('rebootInstance');
    const card = await askFor(stage);
    const visitor = createVisitor();
    const page = await visitor.open(await linkFor(stage, 'U0CAROL', card));
    const other = createVisitor();
    const second = await linkFor(stage, 'U0CAROL', card);
    const toIssuer = (await other.get(second)).headers.get('location') ?? '';
    const third = await linkFor(stage, 'U0CAROL', card);
    await end(card);
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && !text.includes('awaiting'));
    const posted = await visitor.submit(page);
    const back = await other.open(toIssuer);
    const followed = await createVisitor().get(third);
    for (const visit of [posted, back, followed]) {
      expect([visit.status >= 400 && visit.status < 500, visit.text]).toEqual([
        true,
        expect.stringMatching(why),
      ]);
      expect(visit.headers.get('location')).toBe(null);
      expectSafe(visit);
    }
    expect(await stage.calls('rebootInstance')).toBe(before);
  });

  it('of a request that the rules do not allow any more says so', async () => {
    const { card, visitor, page } = await begin();
    const restore = await changeRules((rules) =>
      rules
        .replace(/then: approve(?=\n.*\n.*\n    step_up)/u, 'then: deny')
        .replace(/    approvers.*\n.*\n    step_up: true\n/u, ''),
    );
    const posted = await visitor.submit(page);
    expect([posted.status, posted.text]).toEqual([
      409,
      expect.stringMatching(/no longer allow it.*denies it/u),
    ]);
    expect(posted.text.match(/denies it/gu)).toHaveLength(1);
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('refused'));
    await restore();
  });

  it('of a request that someone else approved for a part in the meantime says so, and a new one counts', async () => {
    const restore = await changeRules((rules) =>
      rules.replace('    step_up: true', '    approvals: 2\n    step_up: true'),
    );
    const { card, visitor, page } = await begin();
    issuer.misbehave({ claims: () => ({ sub: 'subject-of-bob', email: 'bob@example.com' }) });
    const bob = createVisitor();
    const bobs = await bob.open(await linkFor(stage, 'U0BOB', card));
    const half = await bob.submit(bobs);
    issuer.misbehave({});
    expect([half.status, half.text]).toEqual([200, expect.stringContaining('1 of 2')]);
    const back = await bob.get(bobs.url);
    expect([back.status, back.text]).toEqual([
      410,
      expect.stringContaining('You have approved the request.'),
    ]);
    const late = await visitor.submit(page);
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('has changed since')]);
    const again = createVisitor();
    const done = await again.submit(await again.open(await linkFor(stage, 'U0CAROL', card)));
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('is running now')]);
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    await restore();
  });

  it('of a request that someone else approved in the meantime says so', async () => {
    const before = await stage.calls('rebootInstance');
    const mine = await begin();
    issuer.misbehave({ claims: () => ({ sub: 'subject-of-bob', email: 'bob@example.com' }) });
    const bob = createVisitor();
    const page = await bob.open(await linkFor(stage, 'U0BOB', mine.card));
    issuer.misbehave({});
    expect((await bob.submit(page)).status).toBe(200);
    const late = await mine.visitor.submit(mine.page);
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringMatching(/already been approved by Bob \(U0BOB\), and is running now/u),
    ]);
    const { ts } = mine.card;
    await stage.seen('U0ALICE', (message) => message.ts === ts && message.text.includes('succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });
});

/** Changes the rules and waits until they are loaded. Resolves to a function that restores the earlier rules. */
async function changeRules(change: (rules: string) => string): Promise<() => Promise<unknown>> {
  const file = stage.env['BELLHOP_CONFIG'] ?? '';
  const before = await readFile(file, 'utf8');
  const write = async (rules: string): Promise<unknown> => {
    const loaded = stage.bot.output().split('policy loaded').length;
    await writeFile(file, rules);
    return until(() => stage.bot.output().split('policy loaded').length > loaded);
  };
  await write(change(before));
  return () => write(before);
}

/** Makes the request expire, as if its time had passed. */
async function expire(card: Message): Promise<void> {
  using database = new DatabaseSync(sqliteFile(join(stage.dataDir, 'bot')), { timeout: 5000 });
  const id = requestIdOf(card);
  database.prepare('update requests set expires_at = created_at + 1 where id = ?').run(id);
  database.prepare("update due set at = 1 where kind = 'deadline' and key = ?").run(id);
  await seen('db-1: expired');
}

async function deny(card: Message): Promise<void> {
  await stage.press('U0CAROL', card, 'Deny');
  await submitText(stage, 'U0CAROL', 'reason', '');
}
