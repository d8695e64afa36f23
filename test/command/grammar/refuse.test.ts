import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runTypedCommand, submitForm } from '../../../src/run/run-command.ts';
import { createRedactor } from '../../../src/command/redactor.ts';
import { openBoxes, type BoxStage } from '../../run/sample-boxes.ts';
import { callerOf } from '../../core.ts';
import { people } from '../../people.ts';
import { refusePastedSecrets } from '../../../src/command/grammar/refuse.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const caller = () => callerOf(people.alice);
const typed = (text: string): Promise<unknown> =>
  runTypedCommand(stage.context, caller(), 'box', text).catch((error: unknown) => error);
const kept = async (): Promise<string> =>
  JSON.stringify([await stage.store.auditFrom(0, 100), await stage.store.list({ limit: 100 })]);

const secrets: readonly (readonly [what: string, secret: string])[] = [
  ['a Slack token', 'xoxb-2345678901-abcdefABCDEF'],
  ['a Slack token', 'xapp-1-A0123456789-abcdef'],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ['a GitHub token', `ghp_${'a1'.repeat(18)}`],
  ['an authorization header', 'APIKey 1234$abcdef0123456789abcdef'],
  ['a signed token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln'],
  ['a secret of Bellhop itself', 'hunter2'],
];

describe('a secret that was pasted', () => {
  it.each(secrets)(
    '%s, is rejected at every position, named, not repeated and not kept',
    async (what, secret) => {
      const places = [
        `kick web-1 --reason "it says ${secret}"`,
        `kick web-1 --break-glass "${secret}"`,
        `kick "${secret}"`,
        `kcik "${secret}"`,
        `kick web-1 --reason "${secret}`,
        `kick web-1 --raeson "${secret}"`,
        `"${secret}"`,
      ];
      for (const place of places) {
        const error = await typed(place);
        expect(error).toMatchObject({ code: 'bad-input' });
        expect(String(error)).toContain(
          `That looks like ${what}. It has been sent in chat, so rotate it now`,
        );
        expect(String(error)).not.toContain(secret);
      }
      expect(await kept()).not.toContain(secret);
      const entries = await stage.store.audit({ limit: 100 });
      expect(entries.map(({ event, error }) => `${event} ${error}`)).toEqual(
        places.map(() => 'invalid bad-input'),
      );
    },
  );

  it('is refused in a form, in every field and row', async () => {
    const values = { box: 'web-1', rows: [{ deep: 'hunter2' }] };
    await expect(submitForm(stage.context, caller(), 'box.kick', values, {})).rejects.toThrow(
      /rotate it now/u,
    );
    await expect(
      submitForm(stage.context, caller(), 'box.kick', { box: 'web-1' }, { reason: 'hunter2' }),
    ).rejects.toThrow(/rotate it now/u);
    expect(await kept()).not.toContain('hunter2');
  });

  it.each([
    'kick web-1 --reason "the bearer of bad news has a key problem"',
    'kick web-1 --reason "apikey was missing"',
    'kick web-1 --reason "xoxo"',
    'look 1/2/6c6aa80f-7836-4dc2-a2ae-125e248be476',
  ])('is not suspected in other text: %s', async (text) => {
    expect(await typed(text)).not.toBeInstanceOf(Error);
  });
});

describe('a secret that Bellhop uses itself', () => {
  const longWord = 'postgres-production';
  const isRefused = (text: string): boolean => {
    const mask = createRedactor();
    for (const secret of ['postgres', longWord, '32f0a7c19b54d6e8', 'p@ss word/of+16c']) mask.learn(secret);
    try {
      refusePastedSecrets({ holdsSecret: (said) => mask.holds(said) }, text);
      return false;
    } catch {
      return true;
    }
  };

  it.each([
    'reboot postgres-1',
    'reboot postgres',
    'reboot web-1 --reason "postgres hangs"',
    `reboot ${longWord}-1`,
    `reboot old_${longWord}`,
    'reboot 1/2/32f0a7c19b54d6e8a',
  ])('is not seen in a word, nor as a part of one: %s', (text) => {
    expect(isRefused(text)).toBe(false);
  });

  it.each([
    '32f0a7c19b54d6e8',
    'reboot web-1 --reason "the key is 32f0a7c19b54d6e8."',
    'reboot web-1 --reason=key:32f0a7c19b54d6e8,',
    'see https://bot:32f0a7c19b54d6e8@db/',
    'it is p@ss word/of+16c',
    'it is p%40ss%20word%2Fof%2B16c',
    `reboot ${longWord}-1 of ${longWord}`,
  ])('is rejected as a separate word: %s', (text) => {
    expect(isRefused(text)).toBe(true);
  });
});
