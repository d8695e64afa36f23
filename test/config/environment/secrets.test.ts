import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { alikeSecrets, createSecrets, secretNames } from '../../../src/config/environment/secrets.ts';
import type { Variables } from '../../../src/config/environment/environment.ts';
import { BellhopError } from '../../../src/model/values/errors.ts';
import { createRedactor } from '../../../src/command/redactor.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const value = 's3cr3t-Zq7';

/** The code and message of what `resolve` throws. */
function refusal(reference: string, env: Variables, dir?: string): { code: string; message: string } {
  try {
    createSecrets(env, dir, createRedactor()).resolve(reference);
  } catch (error) {
    if (error instanceof BellhopError) return { code: error.code, message: error.message };
    throw error;
  }
  return { code: 'none', message: 'it was resolved' };
}

describe('a secret is resolved', () => {
  it.each<[string, string, Variables, Record<string, string>, string]>([
    ['from its variable', 'secret:log-bucket', { BELLHOP_SECRET_LOG_BUCKET: value }, {}, value],
    [
      'named like a part of every object',
      'secret:constructor',
      { BELLHOP_SECRET_CONSTRUCTOR: value },
      {},
      value,
    ],
    ['from its file', 'secret:log-bucket', {}, { 'log-bucket': value }, value],
    [
      'from the variable before the file',
      'secret:key2',
      { BELLHOP_SECRET_KEY2: 'variable' },
      { key2: 'file' },
      'variable',
    ],
    [
      'from the file where the variable is empty',
      'secret:key2',
      { BELLHOP_SECRET_KEY2: '' },
      { key2: 'file' },
      'file',
    ],
    ['less the newline at its end', 'secret:key', {}, { key: `${value}\n` }, value],
    ['less a newline of Windows', 'secret:key', {}, { key: `${value}\r\n` }, value],
    ['with the newlines within', 'secret:key', {}, { key: 'BEGIN\nabc\nEND\n\n' }, 'BEGIN\nabc\nEND\n'],
    ['with its spaces', 'secret:key', { BELLHOP_SECRET_KEY: ' a b ' }, {}, ' a b '],
    ['of the largest size', 'secret:key', {}, { key: 'x'.repeat(65_536) }, 'x'.repeat(65_536)],
  ])('%s', (_, reference, env, files, expected) => {
    const dir = temporaryFolder();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
    expect(createSecrets(env, dir, createRedactor()).resolve(reference)).toBe(expected);
  });

  it('again each time, through the links of a mounted folder', () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, '..data'));
    writeFileSync(join(dir, '..data', 'key'), 'first');
    symlinkSync('..data/key', join(dir, 'key'));
    const secrets = createSecrets({}, dir, createRedactor());
    expect(secrets.resolve('secret:key')).toBe('first');
    writeFileSync(join(dir, '..data', 'key'), 'second');
    expect(secrets.resolve('secret:key')).toBe('second');
  });

  it('and is masked from then on', () => {
    const mask = createRedactor();
    const secrets = createSecrets({ BELLHOP_SECRET_KEY: value }, undefined, mask);
    expect(mask.redact(`wrong ${value}`)).toBe(`wrong ${value}`);
    secrets.resolve('secret:key');
    expect(mask.redact(`wrong ${value}`)).toBe('wrong ••••');
  });
});

const accepted = (text: string) => {
  const mask = createRedactor();
  const secrets = createSecrets({ BELLHOP_SECRET_HOOK: text }, undefined, mask);
  return { values: () => secrets.accepted('secret:hook'), mask };
};

describe('what others show or sign with', () => {
  it.each([
    ['one-value', ['one-value']],
    ['the-new,the-old', ['the-new', 'the-old']],
    [' the-new, the-old\n', ['the-new', 'the-old']],
  ])('as %j is %j, each masked', (text, expected) => {
    const { values, mask } = accepted(text);
    expect(values()).toEqual(expected);
    for (const one of expected) expect(mask.redact(`wrong ${one}`)).toBe('wrong ••••');
  });

  it.each(['the-new,', ',the-old', ',', 'one,two,three'])('as %j is refused, and not repeated', (text) => {
    expect(accepted(text).values).toThrow(
      "The secret “hook” can't be used: it takes one value, or two as new,old while you rotate it. Fix it, or set BELLHOP_SECRET_HOOK.",
    );
  });
});

describe('a secret is refused', () => {
  it.each([
    ['a pasted value', value],
    ['a value after the word', `secret:${value.toUpperCase()}`],
    ['a path', 'secret:../../etc/passwd'],
    ['a path in disguise', 'secret:a/b'],
    ['a hidden file', 'secret:.ssh'],
    ['an underscore, which would be another secret’s variable', 'secret:log_bucket'],
    ['no name', 'secret:'],
    ['a name that is too long', `secret:${'a'.repeat(65)}`],
    ['a line more', 'secret:key\n'],
    ['nothing', ''],
  ])('where it is %s, without repeating it', (_, reference) => {
    expect(refusal(reference, {}, '/')).toEqual({
      code: 'bad-input',
      message:
        'Enter a secret by its name, such as secret:log-bucket (lower-case letters, digits and -), never by its value. If you entered the secret itself, rotate it.',
    });
  });

  it.each<[string, Variables, (dir: string) => void, string]>([
    [
      'where it is nowhere',
      {},
      () => {},
      'The secret “key” does not exist. Set BELLHOP_SECRET_KEY, or put it into the file key in BELLHOP_SECRETS_DIR.',
    ],
    [
      'where its file is empty',
      {},
      (dir) => writeFileSync(join(dir, 'key'), '\n'),
      "The secret “key” can't be used: the file key in BELLHOP_SECRETS_DIR is empty. Fix it, or set BELLHOP_SECRET_KEY.",
    ],
    [
      'where its file is too large',
      {},
      (dir) => writeFileSync(join(dir, 'key'), value.repeat(6554)),
      "The secret “key” can't be used: the file key in BELLHOP_SECRETS_DIR is larger than 64 KiB. Fix it, or set BELLHOP_SECRET_KEY.",
    ],
    [
      'where its file is a folder',
      {},
      (dir) => mkdirSync(join(dir, 'key')),
      "The secret “key” can't be used: the file key in BELLHOP_SECRETS_DIR is a folder, not a file. Fix it, or set BELLHOP_SECRET_KEY.",
    ],
    [
      'if its file is not text',
      {},
      (dir) => writeFileSync(join(dir, 'key'), Buffer.from([0xff, 0xfe])),
      "The secret “key” can't be used: the file key in BELLHOP_SECRETS_DIR is not UTF-8 text. Fix it, or set BELLHOP_SECRET_KEY.",
    ],
    [
      'where its variable is too large',
      { BELLHOP_SECRET_KEY: value.repeat(6554) },
      () => {},
      "The secret “key” can't be used: BELLHOP_SECRET_KEY is larger than 64 KiB. Fix it, or set BELLHOP_SECRET_KEY.",
    ],
  ])('%s', (_, env, prepare, expected) => {
    const dir = temporaryFolder();
    prepare(dir);
    expect(refusal('secret:key', env, dir)).toEqual({ code: 'configuration', message: expected });
  });

  it('if there is no folder, naming both places', () => {
    expect(refusal('secret:log-bucket', {}).message).toBe(
      'The secret “log-bucket” does not exist. Set BELLHOP_SECRET_LOG_BUCKET, or set BELLHOP_SECRETS_DIR to a folder with a file log-bucket.',
    );
  });
});

it('a look at secrets tells which have one value, and never the value', () => {
  const env = { BELLHOP_SECRET_ONE: 'same', BELLHOP_SECRET_TWO: 'same', BELLHOP_SECRET_THREE: 'other' };
  expect(alikeSecrets(env, undefined)).toEqual([['one', 'two']]);
});

it('the names of secrets are those of variables and files, without the files that settings name', () => {
  const dir = temporaryFolder();
  for (const name of ['api-key', 'database-url', 'log-bucket']) writeFileSync(join(dir, name), value);
  const env = { BELLHOP_SECRET_SIEM: value, API_KEY_FILE: join(dir, 'api-key') };
  expect(secretNames({ ...env, DATABASE_URL_FILE: `${dir}/../${basename(dir)}/database-url` }, dir)).toEqual([
    'log-bucket',
    'siem',
  ]);
});
