import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { z } from 'zod';

import type { Redactor } from '../../command/redactor.ts';
import type { Log } from '../../model/ports.ts';
import { readSecretFile, type SecretVariable } from '../../program/secret-variables.ts';
import type { Settings } from './environment.ts';

interface RotationPorts {
  readonly files: Settings['secretFiles'];
  readonly mask: Pick<Redactor, 'learn'>;
  readonly log: Log;
}

/**
 * The current value of a variable. If a file holds it, the value follows the file. An unusable value is logged, and the previous
 * one stays in force.
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
  /** Reads the files that changed. */
  readonly look: () => void;
}

export function createRotation({ files, mask, log }: RotationPorts): Rotation {
  const looks: (() => void)[] = [];
  const rotate: Rotate = (variable, first, schema, secrets) => {
    const file = files[variable];
    if (file === undefined) return () => first;
    let value = first;
    // The first look reads it: it may have changed since the start, which can wait long for the database.
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

/** Changes with every write of the file, of its mode or owner, and with every file that takes its place. */
function stateOf(file: string): string {
  try {
    const { ino, ctimeNs, size } = statSync(file, { bigint: true });
    return `${ino} ${ctimeNs} ${size}`;
  } catch {
    return 'unreadable';
  }
}
