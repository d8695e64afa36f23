import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { callProgram } from '../../call-program.ts';
import { until } from '../../until.ts';
import { buttonsOf, setStage, type Message, type Stage } from '../stage.ts';
import { commonPostgres } from '../../common-postgres.ts';

let stage: Stage;
/** How often the service was asked to reboot. */
let sent = 0;

const card = (name: string, state: string) =>
  stage.seen('U0ALICE', ({ text }) => text.includes(name) && text.includes(state));

const become = ({ ts }: Message, state: string) =>
  stage.seen('U0ALICE', (message) => message.ts === ts && message.text.includes(state));

/** Proposed before the store was copied, run after it. */
async function rebootAround(copy: () => Promise<void>, name = 'web-1'): Promise<Message> {
  sent = (await stage.calls('rebootInstance')) + 1;
  await stage.say('U0ALICE', `/cloud reboot ${name}`);
  const proposed = await card(`Reboot ${name}`, 'proposed');
  await copy();
  await stage.press('U0ALICE', proposed, `Reboot ${name}`);
  await become(proposed, 'succeeded');
  expect(await stage.calls('rebootInstance')).toBe(sent);
  return proposed;
}

const lists = async (): Promise<number> =>
  (await stage.messages('U0ALICE')).filter(({ ephemeral, text }) => ephemeral && /request/iu.test(text))
    .length;

/** The card and actions for the reboot that is proposed in the store. */
async function expectUnknown(proposed: Message, name = 'web-1'): Promise<void> {
  const unknown = await become(proposed, 'unknown');
  expect(JSON.stringify(unknown.blocks)).toMatch(
    /The store was restored from .*; the request may have run since/u,
  );
  expect(buttonsOf(unknown)).not.toContain(`Reboot ${name}`);
  const listed = await lists();
  // The button as it stood: a click of before may still be on its way.
  await stage.press('U0ALICE', proposed, `Reboot ${name}`);
  await stage.say('U0ALICE', '/bellhop requests');
  await until(async () => (await lists()) > listed);
  expect(await stage.calls('rebootInstance')).toBe(sent);
}

/** Whether the metric shows that the store was rolled back. An alert on this metric pages someone. */
const paged = async (): Promise<boolean> =>
  /^bellhop_store_set_back_seconds [1-9]/mu.test(await (await fetch(`${stage.botUrl}/metrics`)).text());

/** The location of the bot's store. */
const folder = () => join(stage.dataDir, 'bot');

describe('the embedded store', () => {
  beforeAll(async () => {
    stage = await setStage();
  });
  afterAll(() => stage.close());

  it('whose data directory was put back from a copy offers nothing that ran since', async () => {
    const copy = join(stage.dataDir, 'copy');
    const proposed = await rebootAround(async () => {
      await stage.recorded(await card('Reboot web-1', 'proposed'));
      await stage.bot.end('SIGTERM');
      await cp(folder(), copy, { recursive: true, preserveTimestamps: true });
      await stage.restart();
    });
    await stage.bot.end('SIGTERM');
    await rm(folder(), { recursive: true });
    await cp(copy, folder(), { recursive: true, preserveTimestamps: true });
    await stage.restart();
    await expectUnknown(proposed);
    expect(await paged()).toBe(true);
    expect(stage.bot.output()).toContain('store rolled back');
  });

  it('that lost the newest checkpoint says at the start that it trusts the log', async () => {
    await until(() => existsSync(join(folder(), 'audit-sealed')));
    await stage.bot.end('SIGTERM');
    await rm(join(folder(), 'audit-sealed'));
    await stage.restart();
    expect(stage.bot.output()).toContain('this replica remembers no sealed checkpoint');
  });

  it.each([
    ['restored by the command', 'web-2'],
    ['opened as it is', 'web-3'],
  ])('whose backup is %s offers nothing that ran since', async (how, name) => {
    const file = join(stage.dataDir, `${name}.backup`);
    const env = { DATA_DIR: folder() };
    const proposed = await rebootAround(async () => {
      await stage.recorded(await card(`Reboot ${name}`, 'proposed'));
      expect(await callProgram('store', ['backup', file], env)).toMatchObject({ code: 0 });
    }, name);
    await stage.bot.end('SIGTERM');
    for (const part of ['bellhop.db', 'bellhop.db-wal', 'bellhop.db-shm'])
      await rm(join(folder(), part), { force: true });
    if (how === 'opened as it is') await cp(file, join(folder(), 'bellhop.db'));
    else await callProgram('store', ['restore', file], env);
    await stage.restart();
    await expectUnknown(proposed, name);
  });
});

const query = async (databaseUrl: string, statement: string) => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

describe('PostgreSQL', () => {
  afterEach(() => stage.close());

  it.each([
    ['where it is', ''],
    ['what this replica has sealed', 'delete from store_home'],
  ])('of which another copy is served offers nothing that ran since: seen by %s', async (_, spoil) => {
    const databaseUrl = await commonPostgres.createDatabase();
    stage = await setStage({ env: { DATABASE_URL: databaseUrl } });
    let copy = '';
    const proposed = await rebootAround(async () => {
      await stage.bot.end('SIGTERM');
      copy = await commonPostgres.createDatabase(databaseUrl);
      await stage.restart();
    });
    await stage.bot.end('SIGTERM');
    // The address is the same, as after a failover or a restore.
    const [served, earlier] = [databaseUrl, copy].map((url) => new URL(url).pathname.slice(1));
    await query(
      databaseUrl.replace(/[^/]+$/u, 'postgres'),
      `alter database ${served} rename to ${served}_gone`,
    );
    await query(databaseUrl.replace(/[^/]+$/u, 'postgres'), `alter database ${earlier} rename to ${served}`);
    await query(databaseUrl, spoil);
    await stage.restart();
    await expectUnknown(proposed);
    expect(await paged()).toBe(true);
  });

  it('that goes back while Bellhop runs ends open requests, and records the known outcomes of running ones', async () => {
    const databaseUrl = await commonPostgres.createDatabase();
    stage = await setStage({ env: { DATABASE_URL: databaseUrl } });
    await stage.say('U0ALICE', '/cloud stop web-2');
    const waiting = await card('Stop web-2', 'proposed');
    await stage.fault('rebootInstance', { delay_ms: 600_000 });
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const proposed = await card('Reboot web-1', 'proposed');
    await stage.press('U0ALICE', proposed, 'Reboot web-1');
    await until(async () => ((await stage.calls('rebootInstance')) === 1 ? true : undefined));
    await query(
      databaseUrl,
      `update requests set state = 'proposed', version = 1, started_at = null, lease_until = null, expires_at = 1
       where operation = 'cloud.reboot'`,
    );
    await stage.clearFaults();
    await become(proposed, 'succeeded');
    await become(waiting, 'unknown');
    expect(await stage.calls('rebootInstance')).toBe(1);
    expect(await paged()).toBe(true);
  });
});
