import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { startPostgres } from '../../postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';

const open = async (env: Readonly<Record<string, string>>): Promise<Stage> => {
  const stage = await setStage({ env: { LOG_LEVEL: 'info', ...env } });
  onTestFinished(() => stage.close());
  return stage;
};

/** A file of secrets, and what rewrites it. Resolves once the bot has seen the new content. */
function secretFile(name: string, first: string) {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, `${first}\n`);
  return { file, write: (text: string) => writeFileSync(file, `${text}\n`) };
}

/** Looks at floating IPs again and again, until something holds. Each look is answered, and none with a refusal. */
async function looking(stage: Stage, holds: () => boolean): Promise<void> {
  await until(async () => {
    await stage.say('U0ALICE', '/cloud ips');
    return holds();
  });
  const answers = await stage.messages('U0ALICE');
  expect(answers.filter(({ text }) => /API_KEY|try again/iu.test(text))).toEqual([]);
}

const rereads = (stage: Stage, variable: string): number =>
  stage.bot.output().split(`"variable":"${variable}"`).length - 1;

const partsSchema = z.object({ parts: z.record(z.string(), z.looseObject({ ok: z.boolean() })) });
const signed = async (stage: Stage, ok: boolean): Promise<true> =>
  until(async () => {
    await stage.say('U0ALICE', '/cloud ips');
    const { parts } = partsSchema.parse(await (await fetch(`${stage.botUrl}/readyz`)).json());
    return parts['signatures']?.ok === ok ? true : undefined;
  });

it('service key, signing secret and bot token are rotated while people work: nothing is refused, and a change runs once', async () => {
  const key = secretFile('key', 'key-of-the-stage');
  const signing = secretFile('signing', 'a-signing-secret-of-the-stage');
  const token = secretFile('token', 'xoxb-stage');
  const stage = await open({
    API_KEY: '',
    API_KEY_FILE: key.file,
    SLACK_SIGNING_SECRET: '',
    SLACK_SIGNING_SECRET_FILE: signing.file,
    SLACK_BOT_TOKEN: '',
    SLACK_BOT_TOKEN_FILE: token.file,
  });

  key.write('not-known-yet,key-of-the-stage');
  await looking(stage, () => rereads(stage, 'API_KEY') === 1);
  signing.write('not-used-yet,a-signing-secret-of-the-stage');
  await looking(stage, () => rereads(stage, 'SLACK_SIGNING_SECRET') === 1);
  token.write(' xoxb-stage ');
  await looking(stage, () => rereads(stage, 'SLACK_BOT_TOKEN') === 1);

  await stage.say('U0ALICE', '/cloud reboot web-1');
  const proposed = await stage.seen('U0ALICE', ({ text }) => /web-1.*proposed/su.test(text));
  await stage.press('U0ALICE', proposed, 'Reboot web-1');
  await stage.seen('U0ALICE', ({ ts, text }) => ts === proposed.ts && text.includes('succeeded'));
  expect(stage.bot.output()).not.toMatch(/not-known-yet|not-used-yet|key-of-the-stage|xoxb-stage/u);
});

it('what signs no longer is refused within a second, and taken again once it is put back', async () => {
  const signing = secretFile('signing', 'a-signing-secret-of-the-stage');
  const stage = await open({ SLACK_SIGNING_SECRET: '', SLACK_SIGNING_SECRET_FILE: signing.file });
  await signed(stage, true);
  signing.write('of-another-app');
  await signed(stage, false);
  signing.write('');
  await until(async () => {
    await stage.say('U0ALICE', '/cloud ips');
    return stage.bot.output().includes('secret file cannot be used');
  });
  signing.write('of-another-app,a-signing-secret-of-the-stage');
  expect(await signed(stage, true)).toBe(true);
});

it('the password of the database is rotated: connections that are lost are made anew with the new one', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const url = new URL(await postgres.createDatabase());
  const login = secretFile('url', url.href);
  const stage = await open({ DATABASE_URL_FILE: login.file });

  const owner = new Client(postgres.url);
  await owner.connect();
  onTestFinished(() => owner.end());
  await owner.query(`alter role ${url.username} password 'of-tomorrow'`);
  url.password = 'of-tomorrow';
  login.write(url.href);
  await owner.query(endOthers, [url.pathname.slice(1)]);

  await until(async () => {
    await stage.say('U0ALICE', '/cloud stop web-2');
    return (await stage.messages('U0ALICE')).some(({ text }) => /web-2.*proposed/su.test(text)) || undefined;
  });
  expect(stage.bot.output()).not.toContain('of-tomorrow');

  const elsewhere = new URL(url);
  elsewhere.pathname = '/elsewhere';
  login.write(elsewhere.href);
  await until(async () => {
    await owner.query(endOthers, [url.pathname.slice(1)]);
    await stage.say('U0ALICE', '/cloud ips');
    return stage.bot.output().includes('leads to another database') || undefined;
  });
});

const endOthers = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
