import { chmodSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { createRotation } from '../../../src/config/environment/secrets.ts';
import { readEnvironment } from '../../../src/config/environment/environment.ts';
import { serviceVariables } from '../../../src/config/environment/variables.ts';
import { createRedactor } from '../../../src/command/redactor.ts';
import { recordingLog } from '../../log.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const slack = { SLACK_BOT_TOKEN: 'xoxb-1-a', SLACK_SIGNING_SECRET: 'sign' };
const remote = { ...slack, API_BASE_URL: 'https://api.example.com' };

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'key');
});

describe('a secret in a file', () => {
  it('is read as if it were the variable, without what surrounds it', () => {
    writeFileSync(file, '\n key-of-the-file \n');
    const { settings, problems } = readEnvironment({ ...remote, API_KEY_FILE: 'key' }, folder);
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      service: { apiKeys: ['key-of-the-file'] },
      secretFiles: { API_KEY: file },
    });
  });

  it('makes Bellhop remote, too: a token in a file is never taken for none', () => {
    writeFileSync(file, 'xoxb-1-a');
    expect(readEnvironment({ SLACK_BOT_TOKEN_FILE: file }, folder).mode.slack).toBe('http');
  });

  it.each<[string, Readonly<Record<string, string>>, string | undefined, string]>([
    [
      'next to its variable',
      { API_KEY: 'key' },
      'key',
      'API_KEY_FILE and API_KEY are both set. Keep one of them.',
    ],
    [
      'that is not there',
      {},
      undefined,
      'API_KEY_FILE: the file does not exist. Give a file that holds the value of API_KEY.',
    ],
    [
      'that is empty',
      {},
      ' \n',
      'API_KEY_FILE: the file is empty. Give a file that holds the value of API_KEY.',
    ],
    [
      'too large',
      {},
      'k'.repeat(70_000),
      'API_KEY_FILE: the file is larger than 64 KiB. Give a file that holds the value of API_KEY.',
    ],
    [
      'that no header can carry',
      {},
      'two words',
      'API_KEY has a character that is not allowed in a header. Set the key alone, without the word “apikey”.',
    ],
    ['of three keys', {}, 'a,b,c', 'API_KEY takes one key, or two as new,old while you rotate it.'],
  ])('%s is refused at the start', (_, more, text, problem) => {
    if (text !== undefined) writeFileSync(file, text);
    const found = readEnvironment({ ...remote, ...more, API_KEY_FILE: file }, folder);
    expect(found.problems).toContain(problem);
    expect(found.settings).toBeUndefined();
  });

  it('of a misspelt variable is named with the right one', () => {
    expect(readEnvironment({ API_KEY_FIL: 'x' }, folder).problems).toContain(
      'API_KEY_FIL is not a setting of Bellhop: did you mean API_KEY_FILE?',
    );
  });
});

describe('a secret file that changes', () => {
  const { API_KEY } = serviceVariables(true).shape;
  /** @param text the content of the file when the operation is followed */
  const rotating = (text = 'first-key') => {
    const log = recordingLog();
    const mask = createRedactor();
    writeFileSync(file, text);
    const { rotate, look } = createRotation({ files: { API_KEY: file }, mask, log });
    const current = rotate('API_KEY', ['first-key'], API_KEY, (keys) => keys);
    const later = (): readonly string[] => {
      look();
      return current();
    };
    return { current, later, log, mask };
  };

  it('is in force after the next look, and is masked by then', () => {
    const { current, later, mask } = rotating();
    writeFileSync(file, 'second-key,first-key\n');
    expect(current()).toEqual(['first-key']);
    expect(later()).toEqual(['second-key', 'first-key']);
    expect(mask.redact('it is second-key')).not.toContain('second-key');
  });

  it('is seen where another file takes its place', () => {
    const { later } = rotating();
    writeFileSync(join(folder, 'next'), 'third-key');
    renameSync(join(folder, 'next'), file);
    expect(later()).toEqual(['third-key']);
  });

  it('is seen where a copy keeps its time and its length', () => {
    const { later } = rotating();
    utimesSync(file, 1, 1);
    later();
    writeFileSync(file, 'other-key');
    utimesSync(file, 1, 1);
    expect(later()).toEqual(['other-key']);
  });

  it.each([
    ['first-key', 0],
    ['changed-key', 1],
  ])('that holds %s once Bellhop has started is in force, and logged if it changed', (text, logged) => {
    const { later, log } = rotating(text);
    expect([later(), later()]).toEqual([[text], [text]]);
    expect(log.lines).toHaveLength(logged);
  });

  it.each<[string, () => void]>([
    ['holds no key', () => writeFileSync(file, 'two words')],
    ['is empty', () => writeFileSync(file, '')],
    ['is gone', () => rmSync(file)],
  ])('leaves the value from before in force where it %s, and says so once', (_, spoil) => {
    const { later, log } = rotating();
    spoil();
    expect([later(), later()]).toEqual([['first-key'], ['first-key']]);
    expect(log.troubles).toHaveLength(1);
    expect(JSON.stringify(log.lines)).not.toContain('first-key');
    writeFileSync(file, 'mended-key');
    chmodSync(file, 0o600);
    expect(later()).toEqual(['mended-key']);
  });
});
