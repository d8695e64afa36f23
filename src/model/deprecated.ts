/**
 * A name that still works, and the one that replaces it. It is removed in the minor version after the one in which the
 * replacement appeared. docs/deprecated.md lists both tables.
 */
export interface Deprecated {
  readonly name: string;
  /** The new name. For a key, only its last part. */
  readonly instead: string;
  /** The first version in which the name no longer works. */
  readonly goneIn: string;
}

/** Keys of bellhop.yaml, as docs/configuration.md spells them, such as `hooks.<name>.target_label` or `rules[].then`. */
export const deprecatedKeys: readonly Deprecated[] = [];

/** Variables of the environment. */
export const deprecatedVariables: readonly Deprecated[] = [];

/** The end of a sentence that begins with the deprecated name. */
export const whatInstead = ({ instead, goneIn }: Deprecated): string =>
  `is deprecated and will be removed in ${goneIn}: write ${instead} instead.`;
