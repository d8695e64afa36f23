/**
 * A name that still works, and the one that replaces it. It is removed in the minor version after the one in which the
 * replacement appeared. docs/deprecated.md lists both tables.
 */
export interface Deprecated {
  readonly name: string;
  /** The new name. For a key, only its last part. */
  readonly instead: string;
  /** The version that does not know the name any more. */
  readonly goneIn: string;
}

/** Keys of bellhop.yaml, as docs/configuration.md spells them, such as `hooks.<name>.target_label` or `rules[].then`. */
export const deprecatedKeys: readonly Deprecated[] = [];

/** Variables of the environment. */
export const deprecatedVariables: readonly Deprecated[] = [];

/** Follows the name. */
export const whatInstead = ({ instead, goneIn }: Deprecated): string =>
  `is deprecated and will be removed in ${goneIn}: write ${instead} instead.`;
