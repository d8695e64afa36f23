import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { configuredKeys, keepOwnKey, ownKeyFile, readOwnKey } from '../../src/audit/own-files.ts';
import { createSecrets } from '../../src/config/environment/secrets.ts';
import { formatSigningKey, makeSigningKey } from '../../src/audit/tree/signing-key.ts';
import { formatVerifierKey, verifierOf } from '../../src/audit/tree/signed-note.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const idOf = (key: ReturnType<typeof makeSigningKey>) => formatVerifierKey(verifierOf(key, key.name));

describe('a key of its own', () => {
  it('is made once, in a folder that need not be there, for this user alone', () => {
    const dataDir = join(temporaryFolder(), 'data');
    expect(readOwnKey(dataDir)).toBeUndefined();
    const { key, made } = keepOwnKey(dataDir);
    const again = keepOwnKey(dataDir);
    expect([made, again.made]).toEqual([true, false]);
    expect(idOf(again.key)).toBe(idOf(key));
    expect(statSync(ownKeyFile(dataDir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['audit-key']);
  });

  it('moves to a secret unchanged', () => {
    const dataDir = temporaryFolder();
    const { key } = keepOwnKey(dataDir);
    const env = { BELLHOP_SECRET_AUDIT_KEY: readFileSync(ownKeyFile(dataDir), 'utf8') };
    const secrets = createSecrets(env, undefined, { learn: () => undefined });
    expect(configuredKeys(['secret:audit-key'], secrets)?.map(idOf)).toEqual([idOf(key)]);
  });

  it('is never replaced if unreadable', () => {
    const dataDir = temporaryFolder();
    writeFileSync(ownKeyFile(dataDir), 'damaged');
    expect(() => keepOwnKey(dataDir)).toThrow(
      'The key of the audit log is invalid. Create one with `npm run audit -- new-key`: PRIVATE+KEY+name+hash+base64.',
    );
    expect(readFileSync(ownKeyFile(dataDir), 'utf8')).toBe('damaged');
  });
});

describe('keys by name', () => {
  const [old, next] = [makeSigningKey('example.com/audit'), makeSigningKey('example.com/audit')];
  const env = {
    BELLHOP_SECRET_AUDIT_KEY: formatSigningKey(next),
    BELLHOP_SECRET_OLD_KEY: formatSigningKey(old),
    BELLHOP_SECRET_OTHER: 'something else',
  };
  const learnt: string[] = [];
  const secrets = createSecrets(env, undefined, { learn: (secret) => learnt.push(secret) });

  it('all sign, in their order, and are masked', () => {
    const keys = configuredKeys(['secret:audit-key', 'secret:old-key'], secrets);
    expect(keys?.map(idOf)).toEqual([idOf(next), idOf(old)]);
    expect(learnt).toContain(env.BELLHOP_SECRET_OLD_KEY);
  });

  it('are empty if none is named, and an error if one is missing or invalid', () => {
    expect(configuredKeys([], secrets)).toBeUndefined();
    expect(() => configuredKeys(['secret:missing'], secrets)).toThrow(
      'The secret “missing” does not exist. Set BELLHOP_SECRET_MISSING, or set BELLHOP_SECRETS_DIR to a folder with a file missing.',
    );
    expect(() => configuredKeys(['secret:other'], secrets)).toThrow('npm run audit -- new-key');
  });
});
