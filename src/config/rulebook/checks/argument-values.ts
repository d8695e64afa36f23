import type { z } from 'zod';

import { abridged } from '../../../text/words.ts';
import { readRuleValue, type RuleValue } from '../../../command/resolve.ts';
import type { Inventory } from '../../../model/target.ts';
import type { Operation } from '../../../model/operation.ts';
import { removedText } from '../../../text/nearest.ts';
import { namesOperation } from '../../../policy/match-rule.ts';
import type { Finding, Path } from '../../yaml/findings.ts';
import type { FittingRule } from '../../../model/rulebook/schema.ts';

type KnownOperation = Pick<Operation, 'name' | 'input'>;

/** A condition that can never match is a mistake; a denial with one would deny nothing. */
export function argumentFindings(
  rule: FittingRule,
  path: Path,
  operations: readonly KnownOperation[],
  inventory: Inventory,
): readonly Finding[] {
  const meant = meantBy(rule.operations ?? [], operations);
  if (meant.length === 0) return [];
  const fields = new Set(meant.flatMap(({ input }) => Object.keys(input.shape)));
  return Object.entries(rule.arguments ?? {}).flatMap(([field, text]): readonly Finding[] => {
    const at = [...path, 'arguments', field];
    if (!fields.has(field)) {
      const removed = removedText(`--${field}`);
      if (removed !== undefined) return [{ path: at, text: `${removed} Remove it here.` }];
      const unknown = `no operation of this rule has “${abridged(field)}”.`;
      return [{ path: at, at: 'key', text: unknown, misspelt: { typed: field, known: fields } }];
    }
    if (text === undefined) return [];
    const values = valuesOf(field, text, meant, inventory);
    const texts = new Set(values.flatMap((value) => ('text' in value ? [value.text] : [])));
    if (texts.size === 1) return [];
    if (texts.size > 1) {
      return [
        { path: at, text: 'means different things in the operations of this rule. Write a rule for each.' },
      ];
    }
    return values
      .slice(0, 1)
      .flatMap((value) => ('problem' in value ? [{ path: at, text: value.problem, misspelt: value }] : []));
  });
}

/** A rule's arguments as comparable texts. */
export function ruleArguments(
  rule: {
    readonly operations?: readonly string[] | undefined;
    readonly arguments?: Readonly<Record<string, string>> | undefined;
  },
  operations: readonly KnownOperation[],
  inventory: Inventory,
): Readonly<Record<string, string>> {
  const meant = meantBy(rule.operations ?? [], operations);
  const read = Object.entries(rule.arguments ?? {}).map(([field, written]) => {
    const value = valuesOf(field, written, meant, inventory).find((each) => 'text' in each);
    return [field, value?.text ?? written] as const;
  });
  return Object.fromEntries(read);
}

/** The value as parsed by each operation that has the field. */
const valuesOf = (
  field: string,
  written: string,
  meant: readonly KnownOperation[],
  inventory: Inventory,
): readonly RuleValue[] =>
  meant.flatMap(({ input }) => {
    const shape: z.ZodRawShape = input.shape;
    const schema = shape[field];
    return schema ? [readRuleValue(field, schema, written, inventory)] : [];
  });

const meantBy = (patterns: readonly (string | undefined)[], operations: readonly KnownOperation[]) =>
  operations.filter(
    ({ name }) => patterns.length === 0 || patterns.some((pattern = '') => namesOperation(pattern, name)),
  );
