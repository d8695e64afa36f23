import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { type LocalIssuer, startIssuer } from '../../../../playground/issuer/start-issuer.ts';
import { signatureHeaders } from '../../../../playground/workspace/dispatch/sign.ts';
import { openBrowser, type SharedBrowser } from '../../../browser.ts';
import type { Message, Stage } from '../../../program/stage.ts';
import { serve } from '../../../serve.ts';
import { until } from '../../../until.ts';
import { client } from './client.ts';
import {
  askFor,
  entriesOf,
  linkFor,
  linksOf,
  requestIdOf,
  setStageWithIssuer,
  submitText,
} from './signing-in.ts';

let stage: Stage;
let browser: SharedBrowser;
const person = (name: string) => ({
  sub: `sub-${name}`,
  name,
  email: `${name.toLowerCase()}@example.com`,
  email_verified: true,
});

const begin = (publicUrl: string): Promise<LocalIssuer> =>
  startIssuer({
    port: 0,
    clientId: client.id,
    clientSecret: client.secret,
    redirectUri: `${publicUrl}/step-up/callback`,
    people: ['Alice', 'Bob', 'Carol'].map(person),
    acr: 'phr',
  });

beforeAll(async () => {
  const confirm = 'roles: [responders, leads]\n    then: confirm\n';
  [browser, { stage }] = await Promise.all([
    openBrowser(),
    setStageWithIssuer(begin, {
      identity: ', acr_values: phr',
      change: (rules) => rules.replace(confirm, `${confirm}    confirm: type-name\n    step_up: true\n`),
    }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

const phone = { viewport: { width: 375, height: 667 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const desk = { viewport: { width: 1280, height: 800 } };

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** All findings of axe, of any impact. */
async function findings(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return violations.parse(await page.evaluate<unknown>('axe.run().then((result) => result.violations)'));
}

/** The page after a sign-in as a person that the issuer of the tests offers. */
async function signedIn(link: string, as: string, options: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(30_000);
  await page.goto(link);
  await page.getByRole('button', { name: as }).click();
  await page.waitForURL(/\/step-up\/callback/u);
  return page;
}

/** The final text of its card. */
async function endOf(card: Message): Promise<string> {
  const over = (one: Message): boolean => one.ts === card.ts && !/awaiting|proposed|running/u.test(one.text);
  return (await stage.seen('U0ALICE', over)).text;
}

describe('Carol', () => {
  it.each<[string, BrowserContextOptions]>([
    ['on her phone', phone],
    ['on her phone, in the dark', { ...phone, colorScheme: 'dark' }],
    ['at her desk', desk],
    ['at her desk, in the dark', { ...desk, colorScheme: 'dark' }],
  ])('signs in %s by a certified issuer, and one change runs', async (_, options) => {
    const before = await stage.calls('rebootInstance');
    const card = await askFor(stage);
    const page = await signedIn(await linkFor(stage, 'U0CAROL', card), 'Carol', options);
    expect(await page.getByRole('heading').textContent()).toBe('Approve: Reboot db-1?');
    expect(await findings(page)).toEqual([]);
    const size = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
    expect(await page.evaluate<unknown>(size)).toBe(true);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    expect(await page.getByRole('status').textContent()).toContain('Reboot db-1 is running now.');
    expect(await findings(page)).toEqual([]);
    expect(await endOf(card)).toContain('succeeded');
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
    await page.context().close();
  });

  it('needs no mouse', async () => {
    const card = await askFor(stage);
    const page = await signedIn(await linkFor(stage, 'U0CAROL', card), 'Carol', desk);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<unknown>('document.activeElement.textContent')).toBe('Approve');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    expect(await endOf(card)).toContain('succeeded');
  });

  it('denies without a login, and Alice cancels without one', async () => {
    const card = await askFor(stage);
    await stage.press('U0CAROL', card, 'Deny');
    await until(async () => (await stage.modals('U0CAROL')).length === 1);
    await stage.press('U0ALICE', card, 'Cancel');
    expect(await endOf(card)).toContain('cancelled');
  });
});

describe('others', () => {
  it('are refused with her link, and nothing runs', async () => {
    const before = await stage.calls('rebootInstance');
    const card = await askFor(stage);
    const page = await signedIn(await linkFor(stage, 'U0CAROL', card), 'Bob', phone);
    await page.getByText('You are signed in as bob@example.com').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    const entries = await entriesOf(stage, requestIdOf(card));
    expect(entries.at(-1)).toMatchObject({
      event: 'login refused',
      actor: { user: 'U0CAROL' },
      login: { subject: 'sub-Bob', acr: 'phr' },
      note: 'Someone signed in as bob@example.com followed the link. Nothing was approved.',
    });
    expect(await stage.calls('rebootInstance')).toBe(before);
    await stage.press('U0ALICE', card, 'Cancel');
  });

  it('who may not approve get the reason, and no link', async () => {
    const card = await askFor(stage);
    for (const [as, why] of [
      ['U0BOB', /You may not approve this|You can't approve this/u],
      ['U0ALICE', /your own request/u],
    ] as const) {
      await stage.press(as, card, 'Approve');
      await stage.seen(as, ({ ephemeral, text }) => ephemeral && why.test(text));
      expect((await stage.messages(as)).flatMap(linksOf)).toEqual([]);
    }
    await stage.press('U0ALICE', card, 'Cancel');
  });
});

describe('a requester', () => {
  it('signs in to confirm, after typing the name', async () => {
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('web-1: proposed'));
    await stage.press('U0ALICE', card, 'Reboot web-1');
    await submitText(stage, 'U0ALICE', 'name', 'web-1');
    const message = await stage.seen('U0ALICE', (one) => one.ephemeral && linksOf(one).length > 0);
    const page = await signedIn(linksOf(message)[0] ?? '', 'Alice', desk);
    await page.getByRole('button', { name: 'Reboot web-1' }).click();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    expect(await endOf(card)).toContain('succeeded');
  });

  it('signs in to break the glass', async () => {
    await stage.advance(60_000);
    await stage.say('U0ALICE', '/cloud reboot db-1 --break-glass "the disk is on fire"');
    const card = await stage.seen('U0ALICE', ({ text }) =>
      text.includes('db-1 without approval by leads: proposed'),
    );
    const link = await linkFor(stage, 'U0ALICE', card, 'Reboot db-1 without approval by leads');
    const page = await signedIn(link, 'Alice', desk);
    await page.getByText('the disk is on fire').first().waitFor();
    await page.getByRole('button', { name: 'Reboot db-1' }).click();
    expect(await endOf(card)).toContain('succeeded');
  });
});

describe('anyone who has the signing secret', () => {
  it('presses Approve as Carol, and only she gets the link', async () => {
    const before = await stage.calls('rebootInstance');
    const card = await askFor(stage);
    const heard: string[] = [];
    const evil = await serve((request, response) => {
      heard.push(request.url ?? '');
      response.end('ok');
    });
    const forge = async (number: number): Promise<number> => {
      const payload = {
        type: 'block_actions',
        team: { id: 'T0LOCAL' },
        user: { id: 'U0CAROL', team_id: 'T0LOCAL' },
        trigger_id: `forged.${number}`,
        response_url: `${evil.url}/steal`,
        channel: { id: 'C0OPS' },
        container: { type: 'message', message_ts: card.ts },
        message: { ts: card.ts },
        actions: [
          {
            type: 'button',
            action_id: 'approve',
            block_id: 'x',
            value: requestIdOf(card),
            action_ts: `${number}.0`,
          },
        ],
      };
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      const signed = signatureHeaders(body, stage.env['SLACK_SIGNING_SECRET'] ?? '', Date.now());
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...signed };
      return (await fetch(`${stage.botUrl}/slack/events`, { method: 'POST', headers, body })).status;
    };
    for (let number = 0; number < 50; number += 1) expect(await forge(number)).toBe(200);
    await stage.seen('U0CAROL', (message) => message.ephemeral && linksOf(message).length > 0);
    const told = await stage.seen(
      'U0CAROL',
      ({ text }) => text.includes('Approve was pressed 50 times'),
      'D0CAROL',
    );
    expect(linksOf(told)).toHaveLength(1);
    const all = [...(await stage.messages('U0CAROL')), ...(await stage.messages('U0CAROL', 'D0CAROL'))];
    const withLink = all.filter(
      (message) => linksOf(message).length > 0 && JSON.stringify(message).includes(requestIdOf(card)),
    );
    expect(withLink).toHaveLength(2);
    await stage.seen('U0ALICE', ({ text }) =>
      text.startsWith(
        "<@U0ALICE> ⚠️ *Reboot db-1* (production): Approve was pressed 50 times. If <@U0CAROL> didn't do that, ",
      ),
    );
    const entries = await entriesOf(stage, requestIdOf(card));
    expect(entries.filter(({ event }) => ['approved', 'started'].includes(event))).toEqual([]);
    expect(await stage.calls('rebootInstance')).toBe(before);
    expect(heard).toEqual([]);
    await evil.close();

    const page = await signedIn(await linkFor(stage, 'U0CAROL', card), 'Carol', phone);
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await endOf(card)).toContain('succeeded');
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });
});
