import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startBadIssuer } from './bad-issuer.ts';
import type { Stage } from '../../../program/stage.ts';
import { askFor, entriesOf, linkFor, requestIdOf, setStageWithIssuer } from './signing-in.ts';
import { createVisitor, expectSafe, formOf, type Visit } from './visitor.ts';

let stage: Stage;
beforeAll(async () => {
  ({ stage } = await setStageWithIssuer(startBadIssuer));
});
afterAll(() => stage.close());

describe('the form is taken only from its own page', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const own = { ...form, origin: 'null', 'sec-fetch-site': 'same-origin' };
  it.each<[string, number, (page: Visit) => RequestInit]>([
    ['a GET', 405, () => ({ method: 'GET', body: null })],
    ['a HEAD', 405, () => ({ method: 'HEAD', body: null })],
    [
      'JSON',
      415,
      ({ text }) => ({
        headers: { ...own, 'content-type': 'application/json' },
        body: JSON.stringify(formOf(text)),
      }),
    ],
    [
      'plain text',
      415,
      ({ text }) => ({
        headers: { ...own, 'content-type': 'text/plain' },
        body: `csrf=${formOf(text).csrf}`,
      }),
    ],
    ['no token', 403, () => ({ headers: own, body: '' })],
    ['a wrong token', 403, () => ({ headers: own, body: `csrf=${'A'.repeat(43)}` })],
    [
      'another site',
      403,
      ({ text }) => ({
        headers: { ...own, origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' },
        body: `csrf=${formOf(text).csrf}`,
      }),
    ],
    [
      'another port of the host',
      403,
      ({ text }) => ({
        headers: { ...own, origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
        body: `csrf=${formOf(text).csrf}`,
      }),
    ],
    [
      'another origin alone',
      403,
      ({ text }) => ({
        headers: { ...form, origin: 'http://127.0.0.1:1' },
        body: `csrf=${formOf(text).csrf}`,
      }),
    ],
    [
      'an origin that hides itself',
      403,
      ({ text }) => ({ headers: { ...form, origin: 'null' }, body: `csrf=${formOf(text).csrf}` }),
    ],
    [
      'a page of no site',
      403,
      ({ text }) => ({ headers: { ...own, 'sec-fetch-site': 'none' }, body: `csrf=${formOf(text).csrf}` }),
    ],
    [
      'no cookie',
      403,
      ({ text }) => ({ headers: { ...own, cookie: 'a=b' }, body: `csrf=${formOf(text).csrf}` }),
    ],
    ['no decision', 400, ({ text }) => ({ headers: own, body: `csrf=${formOf(text).csrf}` })],
    [
      'another decision',
      400,
      ({ text }) => ({ headers: own, body: `csrf=${formOf(text).csrf}&decision=yes` }),
    ],
    ['too much', 413, () => ({ headers: own, body: `csrf=${'A'.repeat(5000)}` })],
  ])('not %s, and the page still works', async (_, status, init) => {
    const card = await askFor(stage);
    const visitor = createVisitor();
    const page = await visitor.open(await linkFor(stage, 'U0CAROL', card));
    const refused = await visitor.submit(page, init(page));
    expect(refused.status).toBe(status);
    if (status !== 405) expectSafe(refused);
    const before = await stage.calls('rebootInstance');
    const right = await visitor.submit(page, {
      headers: { ...form, origin: stage.botUrl },
      body: `csrf=${formOf(page.text).csrf}&decision=approve`,
    });
    expect(right.status).toBe(200);
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });
});

it('denies as in Slack, with the login in the log', async () => {
  const card = await askFor(stage);
  const visitor = createVisitor();
  const page = await visitor.open(await linkFor(stage, 'U0CAROL', card));
  expect(formOf(page.text).buttons).toEqual(['approve', 'deny']);
  expect(page.text.match(/<form/gu)).toHaveLength(1);
  expect(page.text).toMatch(/Decide by.*<bdi>\d{4}-\d\d-\d\d \d\d:\d\d \([A-Z]\w+[^<]*\)<\/bdi>/su);
  expect(page.text).toMatch(/Channel<\/dt><dd><bdi>#ops</u);
  expect(page.text).toMatch(/Why<\/dt><dd><bdi>stuck since noon</u);
  const before = await stage.calls('rebootInstance');
  const done = await visitor.submit(page, {}, 'deny');
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('Reboot db-1 will not run.')]);
  await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('refused'));
  const denials = (await entriesOf(stage, requestIdOf(card))).filter(
    ({ event }) => event === 'denied approval',
  );
  expect(denials).toMatchObject([{ actor: { user: 'U0CAROL' }, login: { subject: 'subject-of-carol' } }]);
  expect(await stage.calls('rebootInstance')).toBe(before);
});
