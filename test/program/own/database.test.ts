import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type PostgresServer, startPostgres } from '../../postgres.ts';
import { until } from '../../until.ts';
import { buttonsOf, type Message, setStage, type Stage } from '../stage.ts';

const example = join(import.meta.dirname, '../../../examples/database');
let postgres: PostgresServer;
let url: string;
let replicas: readonly string[];
let stage: Stage;
const open: Client[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
  replicas = [await postgres.createDatabase(), await postgres.createDatabase()];
  const admin = await connect('seed');
  await admin.query('create table orders (id int primary key, state text)');
  await admin.query("insert into orders values (42, 'paid')");
  await admin.end();
  stage = await setStage({
    rulebook: readFileSync(join(example, 'bellhop.yaml'), 'utf8').replace(
      './operations/database.ts',
      join(example, 'operations/database.ts'),
    ),
    files: {},
    env: {
      BELLHOP_SECRET_ORDERS_DB: url,
      BELLHOP_SECRET_BILLING_DB: 'postgres://127.0.0.1:1/none',
      BELLHOP_SECRET_ORDERS_REPLICA_1: replicas[0] ?? '',
      BELLHOP_SECRET_ORDERS_REPLICA_2: replicas[1] ?? '',
    },
  });
});
afterAll(async () => {
  await stage.close();
  await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  await postgres.remove();
});

async function connect(application: string, to = url): Promise<Client> {
  const client = new Client({ connectionString: to, application_name: application });
  client.on('error', () => undefined);
  await client.connect();
  open.push(client);
  return client;
}

const pidOf = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
};

/** One that holds a row, and one that waits for it. */
async function lock() {
  const holder = await connect('checkout');
  const pid = await pidOf(holder);
  await holder.query('begin');
  await holder.query("update orders set state = 'packed' where id = 42");
  const waiting = await connect('billing');
  const waitingPid = await pidOf(waiting);
  const done = waiting.query("update orders set state = 'billed' where id = 42").then(
    () => 'done',
    (error: Error) => error.message,
  );
  await until(async () => (await activity()).includes(String(pid)));
  return { holder, pid, waiting, waitingPid, done };
}

async function activity(): Promise<string> {
  await stage.say('U0ALICE', '/db activity orders');
  const found = await stage.seen('U0ALICE', ({ text }) => text.includes('Activity on orders'));
  return JSON.stringify(found.blocks);
}

const become = ({ ts }: Message, state: string) =>
  stage.seen('U0ALICE', (message) => message.ts === ts && message.text.includes(state));

async function propose(command: string): Promise<Message> {
  const before = (await stage.messages('U0ALICE')).at(-1)?.ts ?? '';
  await stage.say('U0ALICE', command);
  return stage.seen(
    'U0ALICE',
    ({ text, ts }) => ts > before && text.includes('orders') && text.includes('proposed'),
  );
}

it('an own operation shows which connection blocks which, and ends the blocking one, so that the waiting queries continue', async () => {
  const { pid, waitingPid, done } = await lock();
  const shown = await activity();
  expect(shown).toContain(`blocked, by ${pid} (checkout)`);
  expect(shown).toContain(String(waitingPid));
  const proposed = await propose(`/db terminate orders ${pid}`);
  const card = JSON.stringify(proposed.blocks);
  expect(card).toContain(`Ends connection ${pid} to orders and rolls back its open transaction.`);
  expect(card).toContain('update orders set state');
  expect(buttonsOf(proposed)).toContain('End a connection to orders');
  await stage.press('U0ALICE', proposed, 'End a connection to orders');
  expect(JSON.stringify((await become(proposed, 'succeeded')).blocks)).toContain(
    `Ended connection ${pid} to orders`,
  );
  expect(await done).toBe('done');
});

it('cancels a query alone, and the connection stays', async () => {
  const { holder, waiting, waitingPid, done } = await lock();
  const proposed = await propose(`/db cancel orders ${waitingPid}`);
  await stage.press('U0ALICE', proposed, 'Cancel a query on orders');
  await become(proposed, 'succeeded');
  expect(await done).toContain('canceling statement due to user request');
  expect(await pidOf(waiting)).toBe(waitingPid);
  await holder.query('rollback');
});

it('an own operation refuses a pid that runs something else than was shown', async () => {
  const client = await connect('report');
  const pid = await pidOf(client);
  const first = client.query('select pg_sleep(60)').catch(() => undefined);
  await until(async () => (await activity()).includes('pg_sleep(60)'));
  const proposed = await propose(`/db terminate orders ${pid}`);
  const admin = await connect('admin');
  await admin.query('select pg_cancel_backend($1)', [pid]);
  await first;
  const second = client.query('select pg_sleep(61)').catch((error: Error) => error.message);
  await until(async () => (await activity()).includes('pg_sleep(61)'));
  await stage.press('U0ALICE', proposed, 'End a connection to orders');
  const ended = await become(proposed, 'failed');
  expect(JSON.stringify(ended.blocks)).toContain('now belongs to a different query: select pg_sleep(61)');
  await admin.query('select pg_cancel_backend($1)', [pid]);
  expect(await second).toContain('canceling statement');
});

it('an own operation refuses an unknown pid before anything is proposed', async () => {
  await stage.say('U0ALICE', '/db terminate orders 4194303');
  const refusal = await stage.seen('U0ALICE', ({ text }) => text.includes('4194303'));
  expect(refusal.text).toContain('No connection has pid 4194303. See /db activity.');
});

it('an own operation is not sent if the database cannot be reached, and its address is not shown', async () => {
  await stage.say('U0ALICE', '/db activity billing');
  const refusal = await stage.seen('U0ALICE', ({ text }) => text.includes('cannot be reached'));
  expect(JSON.stringify(refusal)).not.toContain('127.0.0.1:1/none');
});

it('cancels what an application runs on each replica, one after another', async () => {
  const clients = await Promise.all(replicas.map((replica) => connect('report', replica)));
  const running = clients.map((client) =>
    client.query('select pg_sleep(600)').catch((error: Error) => error.message),
  );
  await stage.say('U0ALICE', '/db cancel-all --each role=replica report --pause 0s');
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes('2 × role=replica: proposed'));
  const shown = JSON.stringify(card.blocks);
  for (const part of ['orders-replica-1', 'orders-replica-2', 'application report'])
    expect(shown).toContain(part);
  await stage.press('U0ALICE', card, buttonsOf(card)[0] ?? '');
  const done = JSON.stringify((await become(card, 'done')).blocks);
  expect(done).toMatch(/\*orders-replica-1\* succeeded.*\*orders-replica-2\* succeeded/u);
  for (const query of running) expect(await query).toContain('canceling statement due to user request');
});
