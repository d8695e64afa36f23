import { basename } from 'node:path';

import { standardTimings } from '../../service/http/timings.ts';
import { operations } from '../../operations/index.ts';
import { readEnvironment } from '../../config/environment/environment.ts';
import { severityOfMissing, surroundingsOf } from '../../config/load-config.ts';
import { fileError } from '../../config/yaml/yaml-file.ts';
import { readSmallFile } from '../../program/files.ts';
import { findingLines } from '../../config/yaml/findings.ts';
import { largestRulebook, parseRulebook, type RulebookResult } from '../../config/rulebook/read-rulebook.ts';

/** A command of `npm run config`. */
export interface ConfigCommand {
  /** For the overview. */
  readonly summary: string;
  /** From "Usage: " on. */
  readonly help: string;
  /** Resolves to the exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** The file that a start would read. */
export const usualFile = (): string => process.env.BELLHOP_CONFIG || 'bellhop.yaml';

/** Reads `bellhop.yaml` as a start does, with all its warnings. Findings call it by the path as given. */
export function readRules(path: string): RulebookResult {
  const file = readSmallFile(path, largestRulebook);
  if ('problem' in file) return { ok: false, findings: [fileError(path, `${file.problem}.`)] };
  const isLocal = readEnvironment(process.env, process.cwd()).mode.slack === 'local';
  const secretsDir = process.env.BELLHOP_SECRETS_DIR || undefined;
  const missing = severityOfMissing(isLocal, false);
  return parseRulebook(
    file.bytes,
    path,
    operations,
    surroundingsOf(process.env, secretsDir, standardTimings.deadlineMs, missing),
  );
}

/** @throws Error with a line for each mistake */
export function readValidRules(path: string): Extract<RulebookResult, { ok: true }> {
  const result = readRules(path);
  if (result.ok) return result;
  throw new Error([...findingLines(result.findings), `${basename(path)} is invalid.`].join('\n'));
}

export const print = (lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
};

/** `1 rule`, `2 rules` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
