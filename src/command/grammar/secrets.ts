import type { Secrets } from '../../model/ports.ts';
import { BellhopError, CommandError } from '../../model/errors.ts';
import type { Field } from '../../model/registry.ts';

/**
 * What secrets look like that people paste by mistake. Ids that go with a secret are none. Each is looked for in time
 * linear in the text: the signed token from its first dot, since what stands before can begin anywhere.
 */
const shapes: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a Slack token', /\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{10,}/u],
  ['a private key', /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/u],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{20,})/u],
  ['an authorization header', /\b(?:apikey|bearer)\s+[\w.~+/$-]{16,}/iu],
  ['a signed token', /\.(?<=\beyJ[\w-]{10,}\.)eyJ[\w-]{10,}\./u],
];

/** Why a value is refused that holds a secret: one of Bellhop's own, or what looks like one. It is never repeated. */
export function pastedSecret(
  { holdsSecret }: Pick<Secrets, 'holdsSecret'>,
  given: unknown,
): BellhopError | undefined {
  for (const text of textsIn(given)) {
    const [what] = shapes.find(([, shape]) => shape.test(text)) ?? [];
    if (what === undefined && !holdsSecret(text)) continue;
    return new BellhopError(
      'bad-input',
      `That holds a secret: ${what ?? 'one that Bellhop uses itself'}. It went through the chat, so rotate it now: ` +
        'replace it with a new one. Where a secret is needed, give its name, such as secret:log-bucket. ' +
        'Nothing was done, and nothing of it was kept.',
    );
  }
  return undefined;
}

/** @throws BellhopError `bad-input`: it holds a secret */
export function refusePastedSecrets(context: Pick<Secrets, 'holdsSecret'>, given: unknown): void {
  const refusal = pastedSecret(context, given);
  if (refusal) throw refusal;
}

/** Every text in a value, the names of its members left out. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

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
    throw new CommandError(
      'bad-input',
      `--${field.option} takes the name of a secret, such as secret:log-bucket, never the secret itself. ` +
        'If that was a secret, it went through the chat: rotate it, replace it with a new one.',
    );
  }
}
