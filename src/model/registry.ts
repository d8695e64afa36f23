import type { Operation } from './operation.ts';
import type { Extension } from './rulebook/rulebook.ts';

/** An operation with everything that is derived from it at start. */
export interface Entry {
  readonly operation: Operation;
  /** `cloud` of `cloud.reboot`: the slash command. */
  readonly area: string;
  /** `reboot` of `cloud.reboot`: the first word. */
  readonly verb: string;
  /** The action before the target's name: `reboot`, `change the event on`. */
  readonly actionLabel: string;
  readonly fields: readonly Field[];
}

export interface Registry {
  readonly entries: readonly Entry[];
  /** Areas in the order of the list of operations: one slash command each. */
  readonly areas: ReadonlyMap<string, readonly Entry[]>;
  find(name: string): Entry | undefined;
  /** An operation whose extension is off. */
  findOff(name: string): Operation | undefined;
}

/** How a field is entered, on any surface. */
export type FieldKind = 'text' | 'integer' | 'number' | 'flag' | 'choice' | 'texts' | 'choices' | 'rows';

/** A field of an operation's input, read from its schema: the one source of options, usage, help and forms. */
export interface Field {
  /** The key in the input: `clientId`. */
  readonly name: string;
  /** As typed after `--`: `client-id`. */
  readonly option: string;
  readonly label: string;
  readonly description: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly positional: boolean;
  /** The kind of target that the field names. */
  readonly target: string | undefined;
  readonly secret: boolean;
  /** For a secret, the fields that name the hosts it is used for. */
  readonly hosts: readonly string[];
  /** Whether its values are hosts. */
  readonly hostName: boolean;
  readonly multiline: boolean;
  readonly extension: Extension | undefined;
  /** Whether it is a list whose items may contain commas. */
  readonly itemsMayContainCommas: boolean;
  /** Other names of the option. */
  readonly aliases: readonly string[];
  /** Aliases for the items of a list. */
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
  readonly placeholder: string | undefined;
  /** For `choice` and `choices`. */
  readonly choices: readonly string[];
  /** For `rows`: the fields of one row. */
  readonly columns: readonly Field[];
  /** The default value. */
  readonly fallback: unknown;
}
