import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Message, Stage } from '../../../program/stage.ts';
import { type BadIssuer, startBadIssuer } from './bad-issuer.ts';
import { askFor, entriesOf, linkFor, requestIdOf, setStageWithIssuer } from './signing-in.ts';
import { createVisitor, type Visit } from './visitor.ts';

let stage: Stage;
let issuer: BadIssuer;
beforeAll(async () => {
  ({ stage, issuer } = await setStageWithIssuer(startBadIssuer, {
    change: (rules) =>
      rules
        .replace('U0CAROL]', 'U0CAROL, U0BOB]')
        .replace('    step_up: true', '    approvals: 2\n    step_up: true')
        .replace(
          'roles: [responders, leads]\n    then: confirm\n',
          'roles: [responders, leads]\n    then: confirm\n    step_up: true\n',
        ),
  }));
});
afterAll(() => stage.close());
beforeEach(() => issuer.misbehave({}));

const as = (name: string, sub = `subject-of-${name}`): void =>
  issuer.misbehave({ claims: () => ({ sub, email: `${name}@example.com` }) });

/** The page after the person pressed the button in Slack and signed in. */
async function page(user: string, card: Message, button = 'Approve') {
  const visitor = createVisitor();
  return { visitor, visit: await visitor.open(await linkFor(stage, user, card, button)) };
}

async function press(user: string, card: Message, button = 'Approve'): Promise<Visit> {
  const { visitor, visit } = await page(user, card, button);
  return visitor.submit(visit);
}

describe('one person with two Slack accounts', () => {
  it('approves once, and the log says why the second press did nothing', async () => {
    const card = await askFor(stage);
    const before = await stage.calls('rebootInstance');
    expect((await press('U0CAROL', card)).text).toContain('1 of 2');
    as('bob', 'subject-of-carol');
    const second = await press('U0BOB', card);
    expect([second.status, second.text]).toEqual([
      409,
      expect.stringContaining('You signed in as the person who has already approved as'),
    ]);
    expect(second.text).toContain('Allowed: role leads · people Carol (U0CAROL), Bob (U0BOB).');
    const ignored = (await entriesOf(stage, requestIdOf(card))).filter(
      ({ event }) => event === 'ignored click',
    );
    expect(ignored.at(-1)?.['note']).toContain('You signed in as the person who has already approved');
    expect(await stage.calls('rebootInstance')).toBe(before);
    as('bob');
    expect((await press('U0BOB', card)).text).toContain('is running now');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });

  it('does not approve what they requested as the other one', async () => {
    as('alice');
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const own = await stage.seen('U0ALICE', ({ text }) => text.includes('web-1: proposed'));
    expect((await press('U0ALICE', own, 'Reboot web-1')).status).toBe(200);
    const card = await askFor(stage);
    as('carol', 'subject-of-alice');
    const { visit } = await page('U0CAROL', card);
    expect([visit.status, visit.text]).toEqual([
      403,
      expect.stringContaining('You are signed in as the person who requested this change'),
    ]);
    expect(visit.text).not.toContain('<form');
    const refused = (await entriesOf(stage, requestIdOf(card))).filter(
      ({ event }) => event === 'login refused',
    );
    expect(refused.at(-1)).toMatchObject({
      actor: { user: 'U0CAROL' },
      login: { subject: 'subject-of-alice' },
      note: expect.stringMatching(/^The person who requested the change .* followed the link\./u) as string,
    });
  });
});

it('a flood of random links is refused before the store is asked, and real links work again soon', async () => {
  const visits = await Promise.all(
    Array.from({ length: 150 }, async (_, index) => {
      const token = String(index).padEnd(43, 'x');
      const response = await fetch(`${stage.botUrl}/step-up/${token}`);
      await response.text();
      return [response.status, response.headers.get('retry-after')] as const;
    }),
  );
  const refused = visits.filter(([status]) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  for (const [, retry] of refused) expect(Number(retry)).toBeGreaterThan(0);
});
