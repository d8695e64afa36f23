import { hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { z } from 'zod';

import { badConfiguration, badInput, type BellhopError, rescue } from '../../model/values/errors.ts';
import { orUndefined } from '../../text/words.ts';
import type { Redactor } from '../../command/redactor.ts';
import type { Log } from '../../model/ports.ts';
import {
  isOneOrTwo,
  largestSecret,
  newAndOld,
  readSecretFile,
  type SecretVariable,
  secretVariableNames,
} from '../../program/secret-variables.ts';
import type { Config, Settings, Variables } from './environment.ts';

const reference = /^secret:([a-z0-9-]{1,64})$/u;

export interface SecretResolver {
  /**
   * For example, the value of `secret:log-bucket` is in the variable `BELLHOP_SECRET_LOG_BUCKET`, or in the file `log-bucket` in the
   * secrets folder, without a final newline. The value is read each time, so that a rotated file takes effect immediately. The mask learns
   * the value first.
   * @throws BellhopError `bad-input` for text that is not a secret name (it may be a pasted secret, so it is not repeated), `configuration`
   * if there is no value; never with the value
   */
  resolve(reference: string): string;
  /**
   * For secrets that others send or sign with. There is one value, or during a rotation the new and the old value as `new,old`.
   * @throws BellhopError as `resolve` does, and for any other form
   */
  accepted(reference: string): readonly string[];
}

/**
 * @param dir an absolute path, or undefined if no folder is configured
 * @param local values of local mode, by name
 */
export function createSecrets(
  env: Variables,
  dir: string | undefined,
  mask: Pick<Redactor, 'learn'>,
  local: Readonly<Record<string, string>> = {},
): SecretResolver {
  const valueOf = (name: string): string =>
    (Object.hasOwn(local, name) ? local[name] : undefined) ?? fromVariable(env, name) ?? fromFile(dir, name);
  return {
    resolve(typed) {
      const value = valueOf(nameIn(typed));
      mask.learn(value);
      return value;
    },
    accepted(typed) {
      const name = nameIn(typed);
      const values = newAndOld(valueOf(name));
      for (const value of values) mask.learn(value);
      if (isOneOrTwo(values)) return values;
      throw unusable(name, 'it takes one value, or two as new,old while you rotate it');
    },
  };
}

function nameIn(typed: string): string {
  const name = reference.exec(typed)?.[1];
  if (name !== undefined) return name;
  throw badInput(
    'Enter a secret by its name, such as secret:log-bucket (lower-case letters, digits and -), never by its ' +
      'value. If you entered the secret itself, rotate it.',
  );
}

/** Such as `BELLHOP_SECRET_LOG_BUCKET` for `log-bucket`. */
export const secretVariable = (name: string): string => `${prefix}${name.replaceAll('-', '_').toUpperCase()}`;

const prefix = 'BELLHOP_SECRET_';
const maxNames = 1000;

/** Without `secret:`, at most 1000. Reads no values. Never throws. */
export function secretNames(env: Variables, dir: string | undefined): readonly string[] {
  const set = Object.keys(env)
    .filter((key) => key.startsWith(prefix) && env[key] !== '')
    .map((key) => key.slice(prefix.length).toLowerCase().replaceAll('_', '-'));
  const names = [...set, ...fileNames(env, dir)].filter((name) => reference.test(`secret:${name}`));
  return [...new Set(names)].toSorted().slice(0, maxNames);
}

/** Groups of secrets with a common value. Reads every secret. Never throws. */
export function alikeSecrets(env: Variables, dir: string | undefined): readonly (readonly string[])[] {
  const secrets = createSecrets(env, dir, { learn: () => undefined });
  const digests = secretNames(env, dir).flatMap((name): [name: string, digest: string][] => {
    const values = rescue(() => secrets.accepted(`secret:${name}`));
    return [...new Set(values)].map((value) => [name, hash('sha256', value)]);
  });
  const groups = Map.groupBy(digests, ([, digest]) => digest);
  return [...groups.values()].filter(({ length }) => length > 1).map((group) => group.map(([name]) => name));
}

/** Omits the files that settings name, such as `API_KEY_FILE`. */
function fileNames(env: Variables, dir: string | undefined): readonly string[] {
  const ofSettings = new Set(secretVariableNames.map((name) => resolve(env[`${name}_FILE`]?.trim() ?? '')));
  const names = dir === undefined ? [] : (orUndefined(() => readdirSync(dir)) ?? []);
  return names.filter((name) => !ofSettings.has(resolve(dir ?? '', name)));
}

function fromVariable(env: Variables, name: string): string | undefined {
  const value = withoutNewline(env[secretVariable(name)] ?? '');
  if (Buffer.byteLength(value) > largestSecret)
    throw unusable(name, `${secretVariable(name)} is larger than 64 KiB`);
  return value === '' ? undefined : value;
}

function fromFile(dir: string | undefined, name: string): string {
  if (dir === undefined) throw missing(name, `set BELLHOP_SECRETS_DIR to a folder with a file ${name}`);
  const file = readSecretFile(join(dir, name), withoutNewline);
  if ('text' in file) return file.text;
  if (file.code === 'absent') throw missing(name, `put it into the file ${name} in BELLHOP_SECRETS_DIR`);
  throw unusable(name, `the file ${name} in BELLHOP_SECRETS_DIR ${file.problem}`);
}

const withoutNewline = (text: string): string => text.replace(/\r?\n$/u, '');

const missing = (name: string, orElse: string): BellhopError =>
  badConfiguration(`The secret “${name}” does not exist. Set ${secretVariable(name)}, or ${orElse}.`);

const unusable = (name: string, why: string): BellhopError =>
  badConfiguration(`The secret “${name}” can't be used: ${why}. Fix it, or set ${secretVariable(name)}.`);

/** The mask learns these before anything is logged. */
export function configSecrets({
  slack,
  service,
  store,
  proxies,
}: Pick<Config, 'slack' | 'service' | 'store' | 'proxies'>): readonly string[] {
  const ofSlack =
    slack === 'local'
      ? []
      : [slack.botToken, ...(slack.kind === 'http' ? slack.signingSecrets : [slack.appToken])];
  const ofProxies = proxies.flatMap((proxy) => passwordsOf(new URL(proxy)));
  return [...ofSlack, ...ofProxies, ...(service === 'local' ? [] : service.apiKeys), ...storeSecrets(store)];
}

export const databaseSecrets = (databaseUrl: string): readonly string[] => storeSecrets({ databaseUrl });

function storeSecrets(store: Config['store']): readonly string[] {
  if (!('databaseUrl' in store)) return [];
  const url = new URL(store.databaseUrl);
  return [...passwordsOf(url), url.searchParams.get('password') ?? ''].filter((secret) => secret !== '');
}

const passwordsOf = ({ password }: URL): readonly string[] =>
  password === '' ? [] : [...new Set([password, decodeURIComponent(password)])];

interface RotationPorts {
  readonly files: Settings['secretFiles'];
  readonly mask: Pick<Redactor, 'learn'>;
  readonly log: Log;
}

/**
 * If a file holds the value of the variable, the result follows the file. An unusable value is logged, and the previous value stays in
 * force.
 * @param secrets the secrets in a value, for the mask
 */
export type Rotate = <T>(
  variable: SecretVariable,
  first: T,
  schema: z.ZodType<T>,
  secrets: (value: T) => readonly string[],
) => () => T;

interface Rotation {
  readonly rotate: Rotate;
  readonly look: () => void;
}

export function createRotation({ files, mask, log }: RotationPorts): Rotation {
  const looks: (() => void)[] = [];
  const rotate: Rotate = (variable, first, schema, secrets) => {
    const file = files[variable];
    if (file === undefined) return () => first;
    let value = first;
    // The first check reads the file again, because it may have changed while the start waited for the database.
    let state: string | undefined;
    looks.push(() => {
      const found = stateOf(file);
      if (found === state) return;
      const isFirst = state === undefined;
      state = found;
      const read = readSecretFile(file);
      const parsed = 'text' in read ? schema.safeParse(read.text) : undefined;
      if (parsed?.success) {
        if (isFirst && isDeepStrictEqual(parsed.data, value)) return;
        value = parsed.data;
        for (const secret of secrets(value)) mask.learn(secret);
        log.info({ variable, file }, 'secret file read again');
      } else {
        const problem = 'problem' in read ? read.problem : parsed?.error?.issues[0]?.message;
        log.error({ variable, file, problem }, 'secret file cannot be used; the previous value stays');
      }
    });
    return () => value;
  };
  return { rotate, look: () => looks.forEach((look) => look()) };
}

/** The state changes when the file is written, gets another mode or owner, or is replaced by another file. */
function stateOf(file: string): string {
  const found = orUndefined(() => statSync(file, { bigint: true }));
  return found ? `${found.ino} ${found.ctimeNs} ${found.size}` : 'unreadable';
}
