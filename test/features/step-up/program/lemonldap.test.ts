import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchBrowser } from '../../../browser.ts';
import { until } from '../../../until.ts';
import type { Stage } from '../../../program/stage.ts';
import { type Account, startLemonldap } from './lemonldap.ts';
import { askFor, entriesOf, linkFor, requestIdOf, setStageWithIssuer } from './signing-in.ts';

async function press(page: Page, button: string): Promise<string> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('status').waitFor();
  return page.getByRole('status').innerText();
}

/** `npm run test:sso` sets this; `npm test` needs no package of Debian. */
describe.runIf(process.env['LEMONLDAP'] === '1')('LemonLDAP::NG of Debian as the issuer', () => {
  let stage: Stage;
  let issuer: Awaited<ReturnType<typeof startLemonldap>>;
  let browser: Browser;
  beforeAll(async () => {
    [browser, { stage, issuer }] = await Promise.all([
      launchBrowser(),
      setStageWithIssuer(startLemonldap, {
        identity: ', claim: preferred_username',
        change: (rules) =>
          rules
            .replace('U0CAROL]', 'U0CAROL, U0BOB]')
            .replace(/^people: .*$/mu, 'people: { dwho: U0CAROL, msmith: U0BOB, rtyler: U0BOB }')
            .replace('    step_up: true', '    approvals: 2\n    step_up: true')
            .replace(
              'roles: [responders, leads]\n    then: confirm\n',
              'roles: [responders, leads]\n    then: confirm\n    step_up: true\n',
            ),
      }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  /** A browser of someone, who stays signed in on the portal. */
  const browserOf = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(60_000);
    return page;
  };

  /** Follows the link from Slack, and signs in on the portal, which must ask for the password. @returns what Bellhop says then */
  async function signIn(page: Page, link: string, account: Account): Promise<string> {
    await page.goto(link);
    const renew = page.getByRole('button', { name: 'Renew session' });
    const password = page.locator('input[name=password]');
    await renew.or(password).waitFor();
    if (await renew.isVisible()) await renew.click();
    await password.fill(account);
    expect(new URL(page.url()).origin).toBe(new URL(issuer.url).origin);
    const name = page.locator('input[name=user]');
    if (await name.isEditable()) await name.fill(account);
    await page.locator('button[type=submit]').first().click();
    await page.waitForURL(/\/step-up\/callback/u);
    return page.locator('body').innerText();
  }

  it('signs a confirmation, once', async () => {
    const carol = await browserOf();
    await stage.say('U0CAROL', '/cloud reboot web-1');
    const card = await stage.seen('U0CAROL', ({ text }) => text.includes('web-1: proposed'));
    const link = await linkFor(stage, 'U0CAROL', card, 'Reboot web-1');
    expect(await signIn(carol, link, 'dwho')).toContain('dwho (in Slack: Carol (U0CAROL))');
    expect(await press(carol, 'Reboot web-1')).toContain('is running now');
    await stage.seen('U0CAROL', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    await carol.goto(link);
    expect(await carol.locator('body').innerText()).toContain('has already been confirmed by Carol');
    expect(await stage.calls('rebootInstance')).toBe(1);
    const confirmed = (await entriesOf(stage, requestIdOf(card))).find(({ event }) => event === 'confirmed');
    expect(confirmed).toMatchObject({ login: { issuer: issuer.url, subject: 'dwho' } });
  });

  it('takes two people to approve, each with a new sign-in, and counts two accounts of one person once', async () => {
    const [carol, bob, other] = [await browserOf(), await browserOf(), await browserOf()];
    const before = await stage.calls('rebootInstance');
    const card = await askFor(stage);
    await signIn(carol, await linkFor(stage, 'U0CAROL', card), 'dwho');
    expect(await press(carol, 'Approve')).toContain('1 of 2');

    // Carol is signed in to the portal. By the portal's settings, it asks again all the same if 5 s have passed.
    const since = Date.now();
    await until(() => Date.now() - since > 6000);
    const refused = await signIn(carol, await linkFor(stage, 'U0BOB', card), 'dwho');
    expect(refused).toContain('someone else pressed the button');

    await signIn(other, await linkFor(stage, 'U0BOB', card), 'msmith');
    expect(await press(other, 'Approve')).toContain(
      'You signed in as the person who has already approved as',
    );
    expect(await stage.calls('rebootInstance')).toBe(before);

    await signIn(bob, await linkFor(stage, 'U0BOB', card), 'rtyler');
    expect(await press(bob, 'Approve')).toContain('is running now');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });
});
