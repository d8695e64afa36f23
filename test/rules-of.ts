import { parseRulebook } from '../src/config/rulebook/read-rulebook.ts';
import { findingLines } from '../src/config/yaml/findings.ts';
import type { Rulebook } from '../src/model/rulebook/rulebook.ts';
import { operations } from '../src/operations/index.ts';

/** The rules of a bellhop.yaml without mistakes. */
export function rulesOf(yaml: string): Rulebook {
  const result = parseRulebook(Buffer.from(yaml), 'b.yaml', operations);
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  return result.rulebook;
}
