import { writeFileSync } from 'node:fs';

import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';

import { signatureHeaders } from '../../../playground/workspace/dispatch/sign.ts';
import { formatVerifierKey, verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { formatSigningKey, makeSigningKey } from '../../../src/audit/tree/signing-key.ts';
import { botProgram } from '../../built-bot.ts';
import { commonPostgres } from '../../common-postgres.ts';
import { startPostgres } from '../../postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { startProcess } from '../bot-process.ts';
import { createReplicas } from '../replicas.ts';
import { repeat, secretFile } from '../rotation.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage } from '../stage.ts';

const endOthers = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';

it('the password of the database is rotated while people work, and connections that are lost are made anew with it', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const url = new URL(await postgres.createDatabase());
  const login = secretFile(url.href);
  const stage = await setStage({ env: { LOG_LEVEL: 'info', DATABASE_URL_FILE: login.file } });
  onTestFinished(() => stage.close());
  const owner = new Client(postgres.url);
  await owner.connect();
  onTestFinished(() => owner.end());
  const looks = repeat(2, async () => void (await stage.say('U0ALICE', '/cloud ips')));

  await looks.more(10);
  await owner.query(`alter role ${url.username} password 'of-tomorrow'`);
  url.password = 'of-tomorrow';
  login.write(url.href);
  await looks.more(40);
  await looks.end();
  const answers = await stage.messages('U0ALICE');
  expect(answers.filter(({ text }) => /database|try again/iu.test(text))).toEqual([]);

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
    return stage.bot.output().includes('points to another database') || undefined;
  });
});

const rules = (key: string): string => `${exampleRulebook({})}\naudit: { key: ${key} }\n`;

it('while the audit key is rotated under load, one replica after the other, each command is answered, recorded once, and provable', async () => {
  const [old, next] = [makeSigningKey('the-log'), makeSigningKey('next')];
  const databaseUrl = await commonPostgres.createDatabase();
  const answered = new Set<string>();
  const stage = await setStage({
    rulebook: rules('secret:audit-key'),
    toSlack: async ({ path }, forward) => {
      if (!path.startsWith('/commands/of-test/')) return forward();
      answered.add(path.slice('/commands/of-test/'.length));
      return { status: 200, headers: {}, body: Buffer.from('ok') };
    },
    env: {
      DATABASE_URL: databaseUrl,
      BELLHOP_SECRET_AUDIT_KEY: formatSigningKey(old),
      BELLHOP_SECRET_AUDIT_KEY_NEXT: formatSigningKey(next),
    },
  });
  onTestFinished(() => stage.close());
  await stage.say('U0ALICE', '/cloud ips');
  const look = stage.payloads.passed.findLast(({ body }) => body.includes('command='));
  await stage.bot.end('SIGTERM');
  const folders = [temporaryFolder(), temporaryFolder()];
  const env = (bot: number) => ({ ...stage.env, DATA_DIR: folders[bot] ?? '' });
  const replicas = await createReplicas(2, env);
  onTestFinished(() => replicas.close());
  const bots = [0, 1];
  for (const bot of bots) await replicas.start(bot);

  const lost: number[] = [];
  const acknowledged: string[] = [];
  /** A new command, as a proxy forwards it: to the other replica if the first does not accept it. Its channel identifies it. */
  const send = async (number: number): Promise<void> => {
    const form = new URLSearchParams(look?.body.toString());
    const channel = `C${number}`;
    form.set('trigger_id', `${number}.1.a`);
    form.set('channel_id', channel);
    form.set('response_url', `${stage.webApi?.url ?? ''}/commands/of-test/${channel}`);
    const body = form.toString();
    for (const bot of bots) {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        ...signatureHeaders(body, 'a-signing-secret-of-the-stage', Date.now()),
      };
      const url = `${replicas.urlOf((number + bot) % 2)}/slack/events`;
      const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status !== 200) continue;
      acknowledged.push(channel);
      // One person may have 20 in progress; more are refused.
      await until(() => answered.has(channel));
      return;
    }
    lost.push(number);
  };
  const commands = repeat(2, send);
  /** Each replica restarts with the keys that bellhop.yaml now names. */
  const restart = async (key: string): Promise<void> => {
    writeFileSync(stage.env['BELLHOP_CONFIG'] ?? '', rules(key));
    for (const bot of bots) {
      expect(await replicas.end(bot, 'SIGTERM')).toBe(0);
      await replicas.start(bot);
      await commands.more(10);
    }
  };

  await commands.more(20);
  await restart('[secret:audit-key-next, secret:audit-key]');
  await restart('secret:audit-key-next');
  await commands.end();
  for (const bot of bots) await replicas.end(bot, 'SIGTERM');
  expect(lost).toEqual([]);
  expect(replicas.output()).not.toContain('sealing of the audit log has stopped');

  const verify = async (...keys: readonly (typeof old)[]) => {
    const shown = keys.flatMap((key) => ['--key', formatVerifierKey(verifierOf(key, 'the-log'))]);
    const program = { program: botProgram('audit'), args: ['verify', ...shown] };
    const audit = await startProcess(env(0), program);
    return [await audit.exited, audit.output()] as const;
  };
  const [code, said] = await verify(old, next);
  expect([code, said]).toEqual([0, expect.stringMatching(/intact: \d+ entries/u)]);
  const owner = new Client(databaseUrl);
  await owner.connect();
  onTestFinished(() => owner.end());
  const recorded = await owner.query<{ channel: string }>(
    `select draft::json->'place'->>'channel' as channel from audit where draft::json->>'event' = 'read'`,
  );
  const channels = recorded.rows.map(({ channel }) => channel);
  expect(channels.toSorted()).toEqual(['C0OPS', ...acknowledged].toSorted());
  expect((await verify(next))[0]).toBe(1);
  expect((await verify(old))[0]).toBe(1);
});
