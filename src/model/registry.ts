import type { Operation } from './operation.ts';
import type { Extension } from './rulebook/rulebook.ts';

export interface Entry {
  readonly operation: Operation;
  /** For example `cloud` in `cloud.reboot`. */
  readonly area: string;
  /** For example `reboot` in `cloud.reboot`. */
  readonly verb: string;
  readonly fields: readonly Field[];
}

export interface Registry {
  readonly entries: readonly Entry[];
  /** In the order of the list of operations. Each area has one slash command. */
  readonly areas: ReadonlyMap<string, readonly Entry[]>;
  find(name: string): Entry | undefined;
  /** An operation whose extension is off. */
  findOff(name: string): Operation | undefined;
  /** The entries of a kind in bellhop.yaml, by name. */
  targets(kind: string): Readonly<Record<string, { readonly labels: Readonly<Record<string, string>> }>>;
}

export type FieldKind = 'text' | 'integer' | 'number' | 'flag' | 'choice' | 'texts' | 'choices' | 'rows';

/** An input field, read from the operation's schema, for options, usage, help and forms. */
export interface Field {
  /** In the input, such as `clientId`. */
  readonly name: string;
  /** Typed after `--`, such as `client-id`. */
  readonly option: string;
  readonly label: string;
  readonly description: string;
  readonly kind: FieldKind;
  /** Checks a value, or an item of a list. */
  readonly accepts: (value: unknown) => boolean;
  readonly required: boolean;
  readonly positional: boolean;
  readonly target?: string | undefined;
  readonly secret: boolean;
  /** For a secret, the fields that name the hosts to which it is sent. */
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
