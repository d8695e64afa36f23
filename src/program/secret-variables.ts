import { resolve } from 'node:path';

import { decodeUtf8, readSmallFile } from './files.ts';
import { UsageError } from './run-program.ts';

/** For each, `<name>_FILE` may name a file that holds the secret instead. */
export const secretVariableNames = [
  'API_KEY',
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'DATABASE_URL',
] as const;
export type SecretVariable = (typeof secretVariableNames)[number];

/** While a secret is rotated, its variable holds the new value and the old one. */
export const newAndOld = (text: string): readonly string[] => text.split(',').map((value) => value.trim());
export const isOneOrTwo = (all: readonly string[]): boolean => all.length <= 2 && !all.includes('');
export const oneOrTwo = (what: string): string => `takes one ${what}, or two as new,old while you rotate it.`;

/** Shells and systemd remove quotes. Docker's `--env-file` and kubectl keep them as part of the value. */
export const isQuoted = (text = ''): boolean => /^(?:"[^]*"|'[^]*')$/u.test(text.trim());

/** Follows the name of the variable. */
export const quoted = 'is in quotes, which are part of the value here. Remove the quotes.';

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws UsageError if the secret's file cannot be used */
export function secretOfEnvironment(name: SecretVariable): string | undefined {
  const read = readSecretVariable(process.env, name, process.cwd());
  if ('problem' in read) throw new UsageError(read.problem);
  return read.text;
}

/** In bytes. */
export const largestSecret = 64 * 1024;

type SecretText =
  | { readonly text: string | undefined; readonly file?: string }
  | { readonly problem: string };

/** @param cwd for relative paths */
export function readSecretVariable(env: Variables, name: SecretVariable, cwd: string): SecretText {
  const direct = env[name]?.trim() || undefined;
  const named = env[`${name}_FILE`]?.trim() || undefined;
  if (named === undefined) return isQuoted(direct) ? { problem: `${name} ${quoted}` } : { text: direct };
  if (direct !== undefined) return { problem: `${name}_FILE and ${name} are both set. Keep one of them.` };
  const file = resolve(cwd, named);
  const read = readSecretFile(file);
  if ('problem' in read)
    return {
      problem: `${name}_FILE: the file ${read.problem}. Give a file that holds the value of ${name}.`,
    };
  return isQuoted(read.text) ? { problem: `${name}_FILE: the value ${quoted}` } : { ...read, file };
}

type SecretFile =
  | { readonly text: string }
  | Exclude<ReturnType<typeof readSmallFile>, { readonly bytes: Uint8Array }>;

/** The problem is words that follow the file's name. @param cut removes text that is not part of the secret */
export function readSecretFile(file: string, cut = (text: string): string => text.trim()): SecretFile {
  const read = readSmallFile(file, largestSecret);
  if ('problem' in read) return read;
  const decoded = decodeUtf8(read.bytes);
  if (decoded === undefined) return { problem: 'is not UTF-8 text', code: 'encoding' };
  const text = cut(decoded);
  return text === '' ? { problem: 'is empty', code: 'empty' } : { text };
}
