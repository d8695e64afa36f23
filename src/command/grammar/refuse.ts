import type { Secrets } from '../../model/ports.ts';
import { badInput, type BellhopError } from '../../model/values/errors.ts';
import type { Field } from '../../model/registry.ts';

/**
 * Matches control characters other than white space, and characters that are invisible or change the text direction.
 * They could hide parts of a command from the readers of its card. Joiners and variation selectors of letters and emoji
 * (U+200C, U+200D, U+FE0E, U+FE0F) are allowed.
 */
export const hiddenCharacter =
  /[^\P{Cc}\t\n\r]|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|[\u2800\p{Zl}\p{Zp}\uFFF9-\uFFFB]/u;

/** Searches text, lists and objects. @throws BellhopError `bad-input` */
export function refuseHidden(value: unknown): void {
  if (typeof value === 'string' && hiddenCharacter.test(value)) {
    throw badInput('Your command contains invisible characters. Type it instead of pasting.');
  }
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) refuseHidden(part);
}

/** In UTF-16 units. Longer text is rejected unread, because no command needs it. */
export const longestText = 3000;

/** Has to run before anything else reads the text. @throws BellhopError `bad-input` for text over {@link longestText} */
export function refuseLongText(text: string): void {
  if (text.length <= longestText) return;
  throw badInput(
    `Your command has ${text.length.toLocaleString('en-US')} characters. The limit is ${longestText.toLocaleString('en-US')}. Shorten it.`,
  );
}

/** In UTF-16 units. */
export const longestReason = 500;

/** @throws BellhopError `bad-input` */
export function refuseLongReason(text: string, what = 'reason'): void {
  if (text.length <= longestReason) return;
  throw badInput(`The ${what} is longer than ${longestReason} characters. Shorten it.`);
}

/**
 * Patterns of secrets that people paste by mistake, without ids that accompany a secret. Each pattern takes linear
 * time. The pattern for a signed token starts at the token's first dot, because the part before the dot could start
 * anywhere.
 */
const shapes: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a Slack token', /\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{10,}/u],
  ['a private key', /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/u],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{20,})/u],
  ['an authorization header', /\b(?:apikey|bearer)\s+[\w.~+/$-]{16,}/iu],
  ['a signed token', /\.(?<=\beyJ[\w-]{10,}\.)eyJ[\w-]{10,}\./u],
];

/** Returns the error for a value that contains a secret of Bellhop or looks like a secret. Never repeats the value. */
export function pastedSecret(
  { holdsSecret }: Pick<Secrets, 'holdsSecret'>,
  given: unknown,
): BellhopError | undefined {
  for (const text of textsIn(given)) {
    const [what] = shapes.find(([, shape]) => shape.test(text)) ?? [];
    if (what === undefined && !holdsSecret(text)) continue;
    return badInput(
      `That looks like ${what ?? 'a secret of Bellhop itself'}. It has been sent in chat, so rotate it now. ` +
        'If a secret is needed, enter its name, such as secret:log-bucket. ' +
        'Nothing was done or stored.',
    );
  }
  return undefined;
}

/** @throws BellhopError `bad-input` if the value contains a secret */
export function refusePastedSecrets(context: Pick<Secrets, 'holdsSecret'>, given: unknown): void {
  const refusal = pastedSecret(context, given);
  if (refusal) throw refusal;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

const name = /^secret:[a-z0-9-]{1,64}$/u;

/** A secret field takes only a name. Any other text may be the secret itself, so that text is neither stored nor repeated. */
export const isSecretName = (value: unknown): boolean => typeof value === 'string' && name.test(value);

/** @throws BellhopError `bad-input` if a secret field has any value but a name */
export function refuseSecrets(fields: readonly Field[], values: Readonly<Record<string, unknown>>): void {
  for (const field of fields) {
    const value = values[field.name];
    if (!field.secret || value === undefined || value === null || value === '') continue;
    if (isSecretName(value)) continue;
    throw badInput(
      `--${field.option} takes the name of a secret, such as secret:log-bucket, never the secret itself. ` +
        'If that was a secret, it has been sent in chat, so rotate it now.',
    );
  }
}
