import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { openDatabase, openRecord } from '../../src/store/open-store.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { certificate, startTlsFront, type TlsFront } from '../tls-front.ts';
import { aDraft } from './sample-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openStore } from './open-store.ts';

let server: PostgresServer;
let front: TlsFront;
let folder: string;
/** Of a database behind the front, with the authority of its certificate. */
let databaseUrl: string;
beforeAll(async () => {
  server = await startPostgres();
  folder = temporaryFolder();
  await writeFile(join(folder, 'ca.pem'), certificate);
  const plain = await server.createDatabase();
  front = await startTlsFront(plain);
  databaseUrl = `${front.urlOf(plain)}&sslrootcert=${join(folder, 'ca.pem')}`;
});
beforeEach(() => front.show('trusted'));
afterAll(async () => {
  await front.close();
  await server.remove();
});

const without = (parameter: string) => (url: string) => {
  const changed = new URL(url);
  changed.searchParams.delete(parameter);
  return changed.href;
};
const asIs = (url: string) => url;

describe('a PostgreSQL server behind TLS', () => {
  it('is used where its certificate is right', async () => {
    const store = await openStore({ databaseUrl });
    onTestFinished(() => store.close());
    await store.record([aDraft()]);
    expect(await store.tally(0)).toMatchObject({ audit: { entries: 1 } });
  });

  it.each([
    [
      'an authority that no one named',
      'trusted',
      without('sslrootcert'),
      /not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/u,
      'sslrootcert',
    ],
    ['the certificate of another', 'stranger', asIs, /not trusted \([A-Z_]+\)/u, 'sslrootcert'],
    [
      'a name that is not in its certificate',
      'trusted',
      (url: string) => url.replace('localhost', '127.0.0.1'),
      /is for another host \(ERR_TLS_CERT_ALTNAME_INVALID\)/u,
      'the host name that',
    ],
    ['no TLS', 'plain', asIs, /accepts no TLS connections/u, 'Enable TLS'],
    [
      'another program at its port',
      'noise',
      asIs,
      /TLS to the database server fails/u,
      'Check host and port',
    ],
    [
      'a file of certificates that is not there',
      'trusted',
      (url: string) => `${url}.gone`,
      /certificate .* can't be read \(ENOENT\)/u,
      'sslrootcert',
    ],
  ] as const)(
    'with %s is the fault of the store, and a start says what to do',
    async (_, face, spoil, reason, todo) => {
      front.show(face);
      for (const open of [openStore, openRecord]) {
        const opened = open({ databaseUrl: spoil(databaseUrl) });
        const problem: unknown = await opened.catch((error: unknown) => error);
        expect(problem).toMatchObject({ code: 'store-unavailable', retryable: false });
        const text = String(problem);
        expect(text).toMatch(/DATABASE_URL points to (?:localhost|127\.0\.0\.1):\d+\/test_/u);
        expect(text).toMatch(reason);
        expect(text).toContain(todo);
        expect(text).not.toContain('not-a-secret');
      }
    },
  );

  it('that shows another certificate from one moment to the next says that nothing was run, and continues', async () => {
    const store = await openStore({ databaseUrl });
    onTestFinished(() => store.close());
    front.show('stranger');
    const refused = /so nothing was run\. Try again/u;
    // The open connections end during a statement.
    await expect(store.record([aDraft()])).rejects.toThrow(refused);
    await expect(store.record([aDraft()])).rejects.toThrow(refused);
    await expect(store.find('none')).rejects.toThrow(refused);
    front.show('trusted');
    await expect.poll(() => store.record([aDraft()]).then(() => 'recorded', String)).toBe('recorded');
  });
});

const ways = ['write', 'writeAlone', 'note', 'read', 'snapshot'] as const;

describe('a state that no list of ours has', () => {
  it.each([
    ['42P01', 'select 1 from no_such_table', true],
    ['42883', 'select no_such_function()', true],
    ['P0001', "do $$ begin raise exception 'no'; end $$", true],
    ['22012', 'select 1 / 0', false],
    ['22P02', "select 'x'::int", false],
  ])('as %s is the fault of the store, however it was asked', async (state, query, retryable) => {
    const database = await openDatabase({ databaseUrl });
    onTestFinished(() => database.close());
    for (const way of ways) {
      const asked = database[way]((queries) => sql.raw(query).execute(queries));
      await expect(asked).rejects.toMatchObject({
        code: 'store-unavailable',
        retryable,
        reason: `The database server rejected a statement (SQLSTATE ${state})`,
      });
    }
  });

  it('leaves mistakes of ours what they are', async () => {
    const database = await openDatabase({ databaseUrl });
    onTestFinished(() => database.close());
    const mistake = new TypeError('x is not a function');
    for (const way of ways) await expect(database[way](() => Promise.reject(mistake))).rejects.toBe(mistake);
  });
});
