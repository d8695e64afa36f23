import { BellhopError } from '../model/errors.ts';
import type { Field } from '../form/fields.ts';

const name = /^secret:[a-z0-9-]{1,64}$/u;

/** Anything else in the field of a secret may be the secret itself: it is neither kept nor repeated. */
export const isSecretName = (value: unknown): boolean => typeof value === 'string' && name.test(value);

/**
 * A field of a secret takes its name alone. What does not look like a name may be the secret, so it is not repeated.
 * @throws BellhopError `bad-input`
 */
export function refuseSecrets(fields: readonly Field[], values: Readonly<Record<string, unknown>>): void {
  for (const field of fields) {
    const value = values[field.name];
    if (!field.secret || value === undefined || value === null || value === '') continue;
    if (isSecretName(value)) continue;
    throw new BellhopError(
      'bad-input',
      `--${field.option} takes the name of a secret, such as secret:log-bucket, never the secret itself. ` +
        'If that was a secret, it went through the chat: rotate it, replace it with a new one. Nothing was done.',
    );
  }
}
