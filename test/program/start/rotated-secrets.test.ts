import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { startPostgres } from '../../postgres.ts';
import { alertmanagerBody } from '../../alerts/sources/bodies.ts';
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

it('the secret of a hook is rotated under a stream of alerts: each one is taken', async () => {
  const dir = temporaryFolder();
  const hook = join(dir, 'alertmanager-hook');
  writeFileSync(hook, 'the-old-secret');
  const stage = await open({ BELLHOP_SECRETS_DIR: dir, BELLHOP_SECRET_ALERTMANAGER_HOOK: '' });
  let shown = 'the-old-secret';
  const answers: number[] = [];
  const deliver = async (number: number): Promise<void> => {
    const body = alertmanagerBody([{ alertname: `A${number}`, instance: 'web-1:9100' }]);
    const headers = { authorization: `Bearer ${shown}`, 'content-type': 'application/json' };
    const { status } = await fetch(`${stage.botUrl}/hooks/alertmanager`, { method: 'POST', headers, body });
    answers.push(status);
  };
  const stream = repeat(4, deliver);

  await stream.more(40);
  replace(hook, 'the-new-secret,the-old-secret');
  await stream.more(40);
  shown = 'the-new-secret';
  await stream.more(40);
  replace(hook, 'the-new-secret');
  await stream.more(40);
  await stream.end();
  expect(answers.filter((status) => status !== 200)).toEqual([]);
  shown = 'the-old-secret';
  await deliver(0);
  expect(answers.at(-1)).toBe(401);
  expect(stage.bot.output()).not.toMatch(/the-(?:old|new)-secret/u);
});

/** Does something again and again, several times at once. */
function repeat(atOnce: number, work: (number: number) => Promise<void>) {
  const all = { begun: 0, done: 0, ends: false };
  const one = async (): Promise<void> => {
    while (!all.ends) {
      await work((all.begun += 1));
      all.done += 1;
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, one));
  return {
    /** Resolves once as many more were begun and done. */
    async more(count: number): Promise<void> {
      const enough = all.begun + count;
      await Promise.race([until(() => all.done >= enough), running]);
    },
    async end(): Promise<void> {
      all.ends = true;
      await running;
    },
  };
}

/** As an operator should, so that nothing reads half of it: written beside it, then moved. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.next`, text);
  renameSync(`${file}.next`, file);
}

const endOthers = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
