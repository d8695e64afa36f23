export type Path = readonly PropertyKey[];

/** A mistake or a warning at one place of a YAML file. */
export interface Finding {
  readonly path: Path;
  readonly at?: 'key' | 'value' | undefined;
  readonly text: string;
  /** The value as in `text`. It is replaced by its spelling in the file, such as 007 for 7. */
  readonly value?: string | undefined;
  readonly misspelt?: { readonly typed: string; readonly known: Iterable<string> } | undefined;
}

export type Severity = 'error' | 'warning';
