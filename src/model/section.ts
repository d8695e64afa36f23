import { z } from 'zod';

import type { Deprecated } from './deprecated.ts';
import type { Operation } from './operation.ts';
import type { Finding, Severity } from './rulebook/finding.ts';
import type { Demand, OwnSecret, Rulebook } from './rulebook/rulebook.ts';
import type { Fitting, FittingFile, RulebookFile } from './rulebook/schema.ts';
import type { Inventory } from './rulebook/target.ts';

type Keys = Readonly<Record<string, z.ZodType>>;
type Read<K extends Keys> = { readonly [Name in keyof K]: z.output<K[Name]> };

/** With what its names are checked against. */
export interface CheckedFile {
  /** Invalid parts are undefined. */
  readonly file: FittingFile;
  readonly inventory: Omit<Inventory, 'accounts'>;
  readonly operations: readonly Operation[];
  /** Whether the section may be under a misspelt key, which is reported. Names in it can't be checked. */
  readonly isMisplaced: (key: string) => boolean;
}

/** About the place where the rules will be in force. Undefined members are unknown. */
export interface Surroundings {
  readonly secretNames?: readonly string[] | undefined;
  readonly alikeSecrets?: readonly (readonly string[])[] | undefined;
  /** In milliseconds: the longest call to the service. */
  readonly longestCallMs?: number | undefined;
  /** Of a part that does not work at all here, such as one whose secret is missing. */
  readonly unusable?: Severity | undefined;
  /** For tests. Default: the deprecated keys of this version. */
  readonly deprecated?: readonly Deprecated[] | undefined;
  /** Whether browsers can reach Bellhop. */
  readonly isReachable?: boolean | undefined;
}

export type RatedFinding = Finding & { readonly severity: Severity };

export const rated = (severity: Severity, found: readonly Finding[]): readonly RatedFinding[] =>
  found.map((one) => ({ ...one, severity }));

type Place = 'file' | 'audit' | 'announce';

interface SectionParts<K extends Keys, Value> {
  /** The keys are at the top level of bellhop.yaml, or below this key. */
  readonly within: Place;
  /** In documents, the key before the section's keys. */
  readonly after: string;
  readonly keys: K;
  readonly value: (read: Read<K>, file: RulebookFile) => Value;
  /** That the schema can't find. */
  readonly mistakes?: (read: Fitting<Read<K>>, checked: CheckedFile) => Iterable<Finding>;
  /** Used by Bellhop itself. */
  readonly secrets?: (value: Value) => readonly OwnSecret[];
  readonly warnings?: (value: Value, rulebook: Rulebook, around: Surroundings) => readonly RatedFinding[];
}

/** A key of a rule, `true` or `false`, that makes a feature's demand. Policy tests have the same key. */
export interface DemandKey {
  readonly key: string;
  readonly description: string;
  readonly demand: Demand;
  /** The key of bellhop.yaml without which people can't meet the demand, and the mistake if it is missing. */
  readonly needs: { readonly key: string; readonly text: string };
}

/** Lists the roles that may skip the rule's approval. */
export interface SkipKey {
  readonly key: string;
  readonly description: string;
}

/**
 * Programs that act in their own name and only read. The key is the section that defines them. In a rule, the same key names them instead
 * of roles.
 */
export interface ProgramKey {
  readonly key: string;
  /** The key's singular. Begins a program's id, such as `agent:holmes`. */
  readonly kind: string;
}

export const valueOf = (written: object, key: string): unknown =>
  new Map<string, unknown>(Object.entries(written)).get(key);

const names = z.array(z.string().optional().catch(undefined)).readonly();

/** Undefined if there is none. Invalid names in the list are undefined. */
export const namesIn = (written: object, key: string) => names.safeParse(valueOf(written, key)).data;

/** A feature's part of bellhop.yaml. The file's schema, checks and warnings are made from all sections. */
export interface Section {
  readonly within: Place;
  readonly after: string;
  readonly keys: Keys;
  readonly name: string;
  valueIn(file: RulebookFile): unknown;
  mistakes(checked: CheckedFile): Iterable<Finding>;
  secrets(rulebook: Pick<Rulebook, 'sections'>): readonly OwnSecret[];
  warnings(rulebook: Rulebook, around: Surroundings): readonly RatedFinding[];
}

export interface OwnSection<Value> extends Section {
  of(rulebook: Pick<Rulebook, 'sections'>): Value;
}

/** @param name of the value in the rulebook */
export function ownSection<K extends Keys, Value>(
  name: string,
  { within, after, keys, value, mistakes, secrets, warnings }: SectionParts<K, Value>,
): OwnSection<Value> {
  const partOf = (file: FittingFile): object => (within === 'file' ? file : (file[within] ?? {}));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file's schema has these keys, see `rulebookFile`
  const readIn = (file: RulebookFile): Read<K> => partOf(file) as Read<K>;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above, for a file with mistakes
  const fittingIn = (file: FittingFile): Fitting<Read<K>> => partOf(file) as Fitting<Read<K>>;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `valueIn` fills this place
  const of = ({ sections }: Pick<Rulebook, 'sections'>): Value => sections[name] as Value;
  return {
    name,
    within,
    after,
    keys,
    valueIn: (file) => value(readIn(file), file),
    mistakes: (checked) => mistakes?.(fittingIn(checked.file), checked) ?? [],
    secrets: (rulebook) => secrets?.(of(rulebook)) ?? [],
    warnings: (rulebook, around) => warnings?.(of(rulebook), rulebook, around) ?? [],
    of,
  };
}
