import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert, constantFrom, property, string } from 'fast-check';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';

import { findingLines } from '../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../src/config/rulebook/read-rulebook.ts';
import { operations } from '../../src/operations/index.ts';
import { isPostgresAddress } from '../../src/text/host.ts';
import { callProgram } from '../call-program.ts';
import { problems } from '../config/loading.ts';

const folder = join(import.meta.dirname, 'running');

/** Reads a file of variables as Docker does: lines of name=value, with quotes as part of the value. */
const variables = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(join(folder, `${name}.env`), 'utf8')
      .split('\n')
      .flatMap((line): [string, string][] => {
        const [, key, value = ''] = /^(\w+)=(.*)$/u.exec(line) ?? [];
        return key === undefined ? [] : [[key, value]];
      }),
  );

const notPostgres = /^DATABASE_URL is not the address of a PostgreSQL server\. .*percent-encode[^\n]*$/u;

const addressWith = (password: string): string => `postgres://app:${password}@db.example.com:5432/bellhop`;

/** As the driver reads it; undefined for an address that is refused. */
const hostOf = (url: string): string | undefined =>
  isPostgresAddress(url) ? new Client({ connectionString: url }).host : undefined;

describe('an address with a login that is not percent-encoded', () => {
  it.each([
    ['login-slash', notPostgres],
    ['login-question-mark', notPostgres],
    ['login-hash', notPostgres],
    ['login-at-and-slash', notPostgres],
    ['login-user-with-slash', notPostgres],
    ['login-percent', notPostgres],
    ['login-parameter', notPostgres],
    ['login-proxy', /^HTTPS_PROXY is not the address of a proxy\. .*percent-encoded\.$/u],
    ['login-service', /^API_BASE_URL contains a user or password\. Remove them from the address\.$/u],
  ])('is refused, and no part of it is quoted: %s', async (name, expected) => {
    const text = await problems(variables(name));
    expect(text).toMatch(expected);
    expect(text).not.toMatch(/Winter|2024|77|app\b/u);
  });

  it.each(['login-slash', 'login-question-mark', 'login-hash'])(
    'is refused by the programs, too: %s',
    async (name) => {
      const { out, err, code } = await callProgram('audit', ['verify'], variables(name));
      expect({ out, code }).toEqual({ out: '', code: 2 });
      expect(err.trimEnd()).toMatch(notPostgres);
    },
  );

  it.each([
    'postgres://app@db.example.com/bellhop?user=app@tenant&password=a@b',
    'postgres:///bellhop?host=/var/run/postgresql',
    'postgres://app:p%40ss%2Fword@db.example.com/bellhop?sslmode=verify-full&sslrootcert=/etc/a@b.pem',
    'postgres://app:p@ss@db.example.com/bellhop',
  ])('is not found where there is none: %s', (url) => {
    expect(isPostgresAddress(url)).toBe(true);
  });

  it('is refused, or the driver reads the same host, whatever the password is', () => {
    const letters = 'aZ0159@:/?#%&=[]+ $!\\'.split('');
    assert(
      property(string({ unit: constantFrom(...letters), maxLength: 12 }), (password) => {
        expect(['db.example.com', undefined]).toContain(hostOf(addressWith(password)));
        expect(hostOf(addressWith(encodeURIComponent(password)))).toBe('db.example.com');
      }),
    );
  });
});

describe('a value in quotes', () => {
  it.each([
    ['quotes-docker', 'NODE_ENV'],
    ['quotes-kubectl', 'API_KEY'],
    ['quotes-secret-file', 'BELLHOP_SECRET_AUDIT_KEY'],
    ['quotes-url', 'DATABASE_URL'],
    ['quotes-port', 'PORT'],
  ])('is refused with the remedy, and nothing else is: %s', async (name, variable) => {
    expect(await problems(variables(name))).toBe(
      `${variable} is in quotes, which are part of the value here. Remove the quotes.`,
    );
  });

  it('is refused by the programs, too', async () => {
    const { err, code } = await callProgram('audit', ['verify'], variables('quotes-url'));
    expect(err).toContain('DATABASE_URL is in quotes');
    expect(code).toBe(2);
  });
});

describe('the mode', () => {
  it.each(['mode-prod', 'mode-live', 'mode-staging'])('is one of three: %s', async (name) => {
    expect(await problems(variables(name))).toBe(
      'NODE_ENV must be production, development or test, or unset.',
    );
  });

  it('production refuses to connect without checks of certificates', async () => {
    expect(await problems(variables('mode-unchecked'))).toMatch(/^NODE_TLS_REJECT_UNAUTHORIZED is 0, /u);
    expect(await problems({ ...variables('mode-unchecked'), NODE_ENV: 'Development' })).toBe('no problem');
  });
});

describe('the hint for a label that must be text', () => {
  it.each(['1.10', '0x1F', '010', 'True', '1e3', '12345678901234567890', '.5', '+1'])(
    'quotes the file: %s',
    (written) => {
      const text = `project: 1\nregion: 76\ninstances:\n  web-1: { id: a, labels: { version: ${written} } }\n`;
      const read = parseRulebook(Buffer.from(text), 'bellhop.yaml', operations);
      expect(read.ok ? [] : findingLines(read.findings)).toContainEqual(
        expect.stringContaining(`must be text, not ${written} (as text it is written "${written}").`),
      );
    },
  );
});
