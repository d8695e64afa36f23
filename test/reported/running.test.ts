import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert, constantFrom, property, string } from 'fast-check';
import { Client } from 'pg';
import { request } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { keepOwnKey } from '../../src/audit/own-files.ts';
import { findingLines } from '../../src/config/yaml/findings.ts';
import { parseRulebook, rulebookLines } from '../../src/config/rulebook/read-rulebook.ts';
import { operations } from '../../src/operations/index.ts';
import { watchRulebook } from '../../src/config/rulebook/watch-rulebook.ts';
import { httpOrigin, isPostgresAddress } from '../../src/text/host.ts';
import { programSources } from '../built-bot.ts';
import { callProgram } from '../call-program.ts';
import { problems } from '../config/loading.ts';
import { sealAll } from '../store/contract/opened.ts';
import { aDraft } from '../store/sample-request.ts';
import { receivingApp, signedHeaders } from '../slack/receive/receiving-app.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openStore } from '../store/open-store.ts';

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

  it.each(['node_env', 'export NODE_ENV', '\uFEFFNODE_ENV', 'NODE_ENV '])(
    'is not development because the variable is called “%s”',
    async (name) => {
      const { NODE_ENV: mode = '', ...others } = variables('mode-unchecked');
      expect(await problems({ ...others, [name]: mode })).toContain('did you mean NODE_ENV?');
    },
  );

  it('is not meant by a variable that is misspelt, nor by those that Kubernetes makes of services', async () => {
    const { NODE_TLS_REJECT_UNAUTHORIZED: _, ...live } = variables('mode-unchecked');
    const services = {
      API_PORT: 'tcp://10.0.0.1:80',
      SLACK_SERVICE_HOST: '10.0.0.1',
      BELLHOP_PORT: 'tcp://10.0.0.1:80',
    };
    expect(await problems({ ...live, ...services })).toBe('no problem');
    expect(await problems({ ...live, BELLHOP_CONFG: '/etc/b.yaml' })).toContain(
      'did you mean BELLHOP_CONFIG?',
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

const findingsOf = (bytes: Buffer): readonly string[] => {
  const read = parseRulebook(bytes, 'bellhop.yaml', operations);
  return read.ok ? [] : findingLines(read.findings);
};

describe('a character in bellhop.yaml that no one sees', () => {
  it.each([
    ['unseen-after-colon', ':2:8: a non-breaking space (U+00A0) is here; replace it with a plain space,'],
    ['unseen-indentation', ':5:1: a non-breaking space (U+00A0) is here;'],
    ['unseen-in-list', ':9:7: a non-breaking space (U+00A0) is here;'],
    ['unseen-at-end', ':6:19: a non-breaking space (U+00A0) is here;'],
    ['unseen-before-comment', ':3:11: a non-breaking space (U+00A0) is here;'],
    ['unseen-zero-width', ':2:5: an invisible character (U+200B) is here; delete it,'],
    ['unseen-full-width', ':5:3: an unusual space (U+3000) is here;'],
    ['unseen-after-quote', ':5:12: a non-breaking space (U+00A0) is here;'],
    ['unseen-at-alias', ':6:25: a non-breaking space (U+00A0) is here;'],
  ])('is named with its line and column: %s', (name, expected) => {
    const lines = findingsOf(readFileSync(join(folder, `${name}.yaml`)));
    expect(lines[0]).toContain(`bellhop.yaml${expected}`);
    expect(lines).toHaveLength(1);
  });

  it('is left alone in text: French spacing, an emoji, quotes, comments, and the mark at the start', () => {
    expect(findingsOf(readFileSync(join(folder, 'unseen-in-text.yaml')))).toEqual([]);
  });

  it.each(['\u00a0', '\u2009', '\u3000', '\u200b', '\ufeff', '\u00ad', '\u2060', '\f', '\u0085', '\u2028'])(
    'is named wherever a person may have typed a space: %j',
    (character) => {
      const text = 'project: 1\nregion: 76\ninstances:\n  web-1: { id: a, labels: { tier: b } }\n';
      const code = `(U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')})`;
      const spoiled = Array.from(text.matchAll(/ /gu), ({ index }) =>
        findingsOf(Buffer.from(`${text.slice(0, index)}${character}${text.slice(index + 1)}`)).join('\n'),
      );
      expect(spoiled.filter((lines) => !lines.includes(code))).toEqual([]);
    },
  );
});

it.each(['merge-key', 'merge-keys-in-list', 'merge-key-flow'])(
  'a merge key is said not to be supported: %s',
  (name) => {
    expect(findingsOf(readFileSync(join(folder, `${name}.yaml`))).join('\n')).toMatch(
      /^bellhop\.yaml:\d+:\d+: merge keys \(<<\) are not supported; write the keys out here\.$/u,
    );
  },
);

it.each([
  ['::', 'http://[::]:3000'],
  ['::1', 'http://[::1]:3000'],
  ['fd00::7', 'http://[fd00::7]:3000'],
  ['0.0.0.0', 'http://0.0.0.0:3000'],
  ['bellhop.internal', 'http://bellhop.internal:3000'],
])('the address of HOST=%s is a URL', (host, url) => {
  expect(httpOrigin(host, 3000)).toBe(url);
  expect(URL.canParse(url)).toBe(true);
});

describe('a request to a path beside the right one', () => {
  it.each([
    ['/slack/events/', '/slack/events'],
    ['//slack/events', '/slack/events'],
    ['/Slack/Events', '/slack/events'],
    ['/slack/event', '/slack/events'],
    ['/slack/actions', '/slack/events'],
    ['/bellhop/slack/events', '/slack/events'],
    ['/mcp/', '/mcp'],
    ['/hooks/grafana/', '/hooks/<name>'],
    ['/healthz/', '/healthz'],
  ])('%s gets 404, and one line names the right path', async (path, right) => {
    const bot = await receivingApp();
    onTestFinished(() => bot.receiver.close());
    for (let times = 0; times < 3; times += 1)
      expect((await request(`${bot.url}${path}`, { method: 'POST', body: 'x=1' })).statusCode).toBe(404);
    expect(bot.log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      `warn nothing is served at this path; use ${right}`,
    ]);
  });

  it('whatever the path, what Slack signed was meant for /slack/events', async () => {
    const bot = await receivingApp();
    onTestFinished(() => bot.receiver.close());
    for (const path of ['/', '/events', '/api/interactivity', '/healthzz']) {
      const headers = signedHeaders('x=1', bot.clock.now());
      expect((await request(`${bot.url}${path}`, { method: 'POST', headers, body: 'x=1' })).statusCode).toBe(
        404,
      );
    }
    expect(bot.log.lines).toHaveLength(1);
  });

  it('a scanner causes no line', async () => {
    const bot = await receivingApp();
    onTestFinished(() => bot.receiver.close());
    for (const path of ['/', '/wp-login.php', '/.env', '/favicon.ico', '/hooks', '/constructor'])
      await request(`${bot.url}${path}`);
    expect(bot.log.lines).toEqual([]);
  });
});

describe('bellhop.yaml that is saved while the program cannot read it', () => {
  it('is read again, as after `npm ci` took the program away for a moment', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = join(temporaryFolder(), 'bellhop.yaml');
    writeFileSync(file, 'project: 1\nregion: 76\n');
    const initial = parseRulebook(readFileSync(file), 'bellhop.yaml', operations);
    if (!initial.ok) throw new Error('the first file is right');
    const [loaded, rejected]: [number[], string[]] = [[], []];
    let failures = 3;
    const watch = watchRulebook({
      file,
      parse(bytes, label) {
        if (failures-- > 0) return Promise.reject(new Error('reading it took too much memory, or failed'));
        return Promise.resolve(rulebookLines(parseRulebook(bytes, label, operations)));
      },
      initial: initial.rulebook,
      onLoaded: ({ inventory }) => void loaded.push(inventory.project ?? 0),
      onRejected: (lines) => void rejected.push(...lines),
    });
    onTestFinished(() => watch.close());
    writeFileSync(file, 'project: 2\nregion: 76\n');
    await watch.reload();
    for (let times = 0; times < 3; times += 1) {
      await vi.runOnlyPendingTimersAsync();
      await watch.reload();
    }
    expect([loaded, rejected]).toEqual([
      [2],
      [expect.stringContaining('Bellhop tries again for two minutes.')],
    ]);
  });
});

const sealedFolder = async (): Promise<string> => {
  const dataDir = temporaryFolder();
  const { key } = keepOwnKey(dataDir);
  const store = await openStore({ dataDir });
  await store.record([aDraft(), aDraft()]);
  await sealAll(store, 0, [key]);
  await store.close();
  return dataDir;
};

const verifyReadOnly = (dataDir: string) => {
  const program = join(import.meta.dirname, '../..', programSources.audit);
  const script =
    'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && DATA_DIR="$0" exec "$1" "$2" verify';
  return spawnSync(
    'unshare',
    ['--map-root-user', '--mount', 'sh', '-c', script, dataDir, process.execPath, program],
    { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
};

/** Mounts need root or a new namespace. */
const canMount = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;

describe.skipIf(!canMount)('`audit -- verify` of a data directory on a read-only disk', () => {
  it('verifies it where Bellhop had stopped', async () => {
    const dataDir = await sealedFolder();
    expect(existsSync(join(dataDir, 'bellhop.db-wal'))).toBe(false);
    const { stdout, status, stderr } = verifyReadOnly(dataDir);
    expect({ status, stderr: stderr.replace(/^Reading .*\n/u, '') }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/is intact: \d+ entries/u);
  });

  it('says to copy it where the newest changes are beside the database', async () => {
    const [dataDir, copy] = [await sealedFolder(), temporaryFolder()];
    const store = await openStore({ dataDir });
    await store.record([aDraft()]);
    mkdirSync(copy, { recursive: true });
    for (const name of ['bellhop.db', 'bellhop.db-wal']) copyFileSync(join(dataDir, name), join(copy, name));
    await store.close();
    const { stderr, status } = verifyReadOnly(copy);
    expect(stderr).toContain(
      'copy the whole folder to a disk that can be written, and set DATA_DIR to the copy',
    );
    expect(status).toBe(2);
  });
});

describe.skipIf(!canMount)('a start with a data directory that cannot take the store names DATA_DIR', () => {
  const module = JSON.stringify(new URL('../../src/store/open-store.ts', import.meta.url).href);
  const program = `const { openStore } = await import(${module});
    await openStore({ dataDir: process.argv[1] }).catch((error) => console.log(error.message));`;
  it.each([
    [
      'on a read-only disk',
      'mount -t tmpfs -o ro tmpfs "$0"',
      'The file system of the data directory is read-only',
    ],
    [
      'on a full disk',
      'mount -t tmpfs -o size=64k tmpfs "$0" && head -c 65536 /dev/zero > "$0/x"',
      'The disk of the data directory is full',
    ],
  ])('%s', (_, mount, right) => {
    const dataDir = temporaryFolder();
    const script = `${mount} && exec "$1" --input-type=module --eval "$2" "$0"`;
    const { stdout } = spawnSync(
      'unshare',
      ['--map-root-user', '--mount', 'sh', '-c', script, dataDir, process.execPath, program],
      { encoding: 'utf8' },
    );
    expect(stdout).toContain(right);
    expect(stdout).toContain(`DATA_DIR is ${dataDir}.`);
  });
});
