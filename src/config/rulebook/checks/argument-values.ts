import type { z } from 'zod';

import { abridged } from '../../../text/words.ts';
import { readRuleValue, type RuleValue } from '../../../command/resolve.ts';
import type { Inventory } from '../../../model/rulebook/target.ts';
import type { Operation } from '../../../model/operation.ts';
import { removedText } from '../../../text/nearest.ts';
import type { Finding, Path } from '../../../model/rulebook/finding.ts';
import type { FittingRule } from '../../../model/rulebook/schema.ts';
import { namesOperation } from '../../../model/rulebook/rulebook.ts';

type KnownOperation = Pick<Operation, 'name' | 'input'>;

/** A condition that can never match is a mistake, because a denial with such a condition would deny nothing. */
export function* argumentFindings(
  rule: FittingRule,
  path: Path,
  operations: readonly KnownOperation[],
  inventory: Inventory,
): Generator<Finding> {
  const meant = meantBy(rule.operations ?? [], operations);
  if (meant.length === 0) return;
  const known = new Set(meant.flatMap(({ input }) => Object.keys(input.shape)));
  for (const [typed, written] of Object.entries(rule.arguments ?? {})) {
    const at = [...path, 'arguments', typed];
    if (!known.has(typed)) {
      const removed = removedText(`--${typed}`);
      const unknown = `no operation of this rule has “${abridged(typed)}”.`;
      yield removed === undefined
        ? { path: at, at: 'key', text: unknown, misspelt: { typed, known } }
        : { path: at, text: `${removed} Remove it here.` };
    } else if (written !== undefined) {
      const values = valuesOf(typed, written, meant, inventory);
      const texts = new Set(values.flatMap((value) => ('text' in value ? [value.text] : [])));
      const [first] = values;
      if (texts.size > 1)
        yield {
          path: at,
          text: 'means different things in the operations of this rule. Write a rule for each.',
        };
      else if (texts.size === 0 && first && 'problem' in first)
        yield { path: at, text: first.problem, misspelt: first };
    }
  }
}

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
