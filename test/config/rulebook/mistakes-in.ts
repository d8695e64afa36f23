import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { knownOperations } from '../known-operations.ts';

/** The mistakes of a file, one per line; empty if it is accepted. */
export function mistakesIn(yaml: string): readonly string[] {
  const result = parseRulebook(Buffer.from(yaml), 'bellhop.yaml', knownOperations);
  return result.ok ? [] : findingLines(result.findings);
}

/** Enough of a file for rules to refer to. */
export const roles = 'roles: { leads: { users: [U0CAROL, U0DAN] }, ops: { usergroups: [S0OPS] } }\n';
export const oneRule = (rule: string): string => `${roles}rules:\n  - ${rule}\n`;
