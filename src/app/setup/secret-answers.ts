import type { z } from 'zod';

import { badInput } from '../../model/values/errors.ts';
import { readSecretVariable, type SecretVariable } from '../../program/secret-variables.ts';
import type { Asker } from './asker.ts';

/** The value of a variable, and the lines of the file with settings that say so. */
export interface Setting {
  readonly name: string;
  readonly value: string;
}

/** @throws BellhopError that names the option or variable */
export function parsed<T extends z.ZodType>(name: string, schema: T, text: string): z.output<T> {
  const { data, error } = schema.safeParse(text);
  if (!error) return data;
  throw badInput(`${name} ${error.issues.map(({ message }) => message).join(' ')}`);
}

/**
 * Takes a secret from the environment or the terminal. A secret that is in a file stays there.
 * @param check is done with the secret
 */
export async function secretAnswer<T>(
  asker: Asker,
  name: SecretVariable,
  what: string,
  check: (secret: string) => T | Promise<T>,
): Promise<{ readonly setting: Setting; readonly checked: T }> {
  const read = readSecretVariable(process.env, name, process.cwd());
  if ('problem' in read) throw badInput(read.problem);
  return asker.answer({ name, what, given: read.text, isSecret: true }, async (secret) => {
    const checked = await check(secret);
    const isInFile = read.file !== undefined && secret === read.text;
    const setting = isInFile ? { name: `${name}_FILE`, value: read.file } : { name, value: secret };
    return { setting, checked };
  });
}
