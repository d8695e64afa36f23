import type { Operation } from './operation.ts';
import type { Extension } from './rulebook/rulebook.ts';

export interface Entry {
  readonly operation: Operation;
  /** The slash command, such as `cloud` in `cloud.reboot`. */
  readonly area: string;
  /** The first word, such as `reboot` in `cloud.reboot`. */
  readonly verb: string;
  readonly fields: readonly Field[];
}

export interface Registry {
  readonly entries: readonly Entry[];
  /** Areas in the order of the list of operations. Each has one slash command. */
  readonly areas: ReadonlyMap<string, readonly Entry[]>;
  find(name: string): Entry | undefined;
  /** Finds an operation whose extension is off. */
  findOff(name: string): Operation | undefined;
  /** Returns what bellhop.yaml lists of a kind, by name. */
  targets(kind: string): Readonly<Record<string, { readonly labels: Readonly<Record<string, string>> }>>;
}

export type FieldKind = 'text' | 'integer' | 'number' | 'flag' | 'choice' | 'texts' | 'choices' | 'rows';

/** A field of an operation's input, read from its schema, for options, usage, help and forms. */
export interface Field {
  /** The key in the input, such as `clientId`. */
  readonly name: string;
  /** The name typed after `--`, such as `client-id`. */
  readonly option: string;
  readonly label: string;
  readonly description: string;
  readonly kind: FieldKind;
  /** Whether the schema of the field, or of an item of the list, takes this value. */
  readonly accepts: (value: unknown) => boolean;
  readonly required: boolean;
  readonly positional: boolean;
  readonly target?: string | undefined;
  readonly secret: boolean;
  /** For a secret, the fields that name the hosts to which the secret is sent. */
  readonly hosts: readonly string[];
  readonly hostName: boolean;
  readonly multiline: boolean;
  readonly extension?: Extension | undefined;
  readonly itemsMayContainCommas: boolean;
  readonly aliases: readonly string[];
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
  readonly placeholder?: string | undefined;
  /** For `choice` and `choices`. */
  readonly choices: readonly string[];
  readonly choiceLabels: Readonly<Record<string, string>>;
  /** For `rows`, the fields of one row. */
  readonly columns: readonly Field[];
  readonly fallback: unknown;
}
