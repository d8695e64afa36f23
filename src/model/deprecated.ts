/** A name that still works, until the minor version after the one that introduced its replacement. docs/deprecated.md lists both tables. */
export interface Deprecated {
  readonly name: string;
  /** The new name. For a key, only its last part. */
  readonly instead: string;
  /** The first version in which the name no longer works. */
  readonly goneIn: string;
}

/** As docs/configuration.md spells them, such as `hooks.<name>.target_label` or `rules[].then`. */
export const deprecatedKeys: readonly Deprecated[] = [];

export const deprecatedVariables: readonly Deprecated[] = [];

/** Follows the deprecated name in a sentence. */
export const whatInstead = ({ instead, goneIn }: Deprecated): string =>
  `is deprecated and will be removed in ${goneIn}: write ${instead} instead.`;
