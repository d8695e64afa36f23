import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { type Certificate, makeAuthority } from '../certificates.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { startProblems, startProcess } from '../program/bot-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { aDraft } from './sample-request.ts';
import { openStore } from './open-store.ts';

const authority = makeAuthority();
const authorityFile = join(temporaryFolder(), 'ca.pem');
writeFileSync(authorityFile, authority.cert);

let server: PostgresServer;
let owner: Client;
beforeAll(async () => {
  server = await startPostgres();
  owner = new Client(server.url);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await server.remove();
});

/** The server itself speaks TLS from now on, with this certificate; undefined: it speaks none. */
async function show(certificate: Certificate | undefined): Promise<void> {
  const { rows } = await owner.query<{ data_directory: string }>('show data_directory');
  const folder = String(rows[0]?.data_directory);
  const { uid, gid } = statSync(folder);
  for (const [name, text] of [
    ['server.crt', certificate?.cert ?? ''],
    ['server.key', certificate?.key ?? ''],
  ] as const) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    chownSync(join(folder, name), uid, gid);
  }
  await owner.query(`alter system set ssl = ${certificate ? 'on' : 'off'}`);
  await owner.query('select pg_reload_conf()');
  const wanted = certificate ? 'on' : 'off';
  await expect
    .poll(async () => (await owner.query<{ ssl: string }>('show ssl')).rows)
    .toEqual([{ ssl: wanted }]);
}

/** @param rest of the parameters */
async function address(rest = `&sslrootcert=${authorityFile}`): Promise<string> {
  const url = new URL(await server.createDatabase());
  url.hostname = 'localhost';
  return `${url.href}?sslmode=verify-full${rest}`;
}

const right = authority.issue(['localhost']);

describe('a PostgreSQL server with a certificate of one’s own authority', () => {
  it('is used with sslrootcert, encrypted', async () => {
    await show(right);
    const databaseUrl = await address();
    const store = await openStore({ databaseUrl });
    onTestFinished(() => store.close());
    await store.record([aDraft()]);
    const encrypted = `select bool_and(ssl) as ssl from pg_stat_ssl join pg_stat_activity using (pid) where datname = $1`;
    const { rows } = await owner.query(encrypted, [new URL(databaseUrl).pathname.slice(1)]);
    expect(rows).toEqual([{ ssl: true }]);
  });

  it('is used without sslrootcert where NODE_EXTRA_CA_CERTS has it', async () => {
    await show(right);
    const databaseUrl = await address('');
    const standard = getCACertificates('default');
    setDefaultCACertificates([...standard, authority.cert]);
    onTestFinished(() => setDefaultCACertificates(standard));
    const store = await openStore({ databaseUrl });
    onTestFinished(() => store.close());
    expect(await store.tally(0)).toMatchObject({ audit: { entries: 0 } });
  });

  it.each([
    [
      'has expired',
      authority.issue(['localhost'], [-30, -1]),
      /has expired \(CERT_HAS_EXPIRED\)/u,
      'Renew it, or set the clock',
    ],
    [
      'is not valid yet',
      authority.issue(['localhost'], [30, 60]),
      /is not valid yet \(CERT_NOT_YET_VALID\)/u,
      'Set the clock',
    ],
    [
      'is for another host',
      authority.issue(['db.example.com']),
      /is for another host \(ERR_TLS_CERT_ALTNAME_INVALID\)/u,
      'Use the host name that is in its certificate',
    ],
    [
      'comes from another authority',
      makeAuthority('Another').issue(['localhost']),
      /is not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/u,
      'sslrootcert=/path/to/ca.pem, or in NODE_EXTRA_CA_CERTS',
    ],
    ['is missing: it takes no TLS', undefined, /accepts no TLS connections/u, 'Enable TLS there (ssl = on)'],
  ])('that %s is not used, and the error names host and remedy', async (_, shown, reason, todo) => {
    await show(shown);
    const databaseUrl = await address();
    const text = String(await openStore({ databaseUrl }).catch((error: unknown) => error));
    expect(text).toMatch(reason);
    expect(text).toMatch(/DATABASE_URL points to localhost:\d+\/test_/u);
    expect(text).toContain(todo);
    expect(text).not.toContain('not-a-secret');
  });
});

it('Bellhop starts on it with NODE_EXTRA_CA_CERTS, and says at the start that its certificate has expired', async () => {
  await show(right);
  const env = {
    DATABASE_URL: await address(''),
    NODE_EXTRA_CA_CERTS: authorityFile,
    DATA_DIR: temporaryFolder(),
    LOG_LEVEL: 'error',
    PORT: '0',
    LOCAL_PORT: '0',
    LOCAL_SERVICE_PORT: '0',
  };
  const bot = await startProcess(env);
  expect(bot.output()).toContain('Bellhop is ready');
  await bot.end('SIGTERM');
  await show(authority.issue(['localhost'], [-30, -1]));
  const late = await startProcess(env);
  expect(await late.exited).toBe(1);
  expect(startProblems(late)[1]).toMatch(
    /^The TLS certificate of the database server has expired \(CERT_HAS_EXPIRED\): DATABASE_URL points to localhost:\d+\/test_\w+\. .*Renew it/u,
  );
});
