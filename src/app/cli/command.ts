import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import { z } from 'zod';

import { standardTimings } from '../../service/http/host.ts';
import { operations } from '../../operations/index.ts';
import { readEnvironment } from '../../config/environment/environment.ts';
import { listeningVariables } from '../../config/environment/variables.ts';
import { badInput } from '../../model/values/errors.ts';
import { severityOfMissing, surroundingsOf } from '../../config/load-config.ts';
import { findingLines } from '../../config/yaml/findings.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { loadRulebookFile } from '../../config/rulebook/read-rulebook.ts';

export const usualFile = (): string => process.env.BELLHOP_CONFIG || 'bellhop.yaml';

export const publicAddress = z
  .string()
  .transform((text) => text.replace(/\/slack\/events\/?$/u, ''))
  .pipe(listeningVariables.shape.PUBLIC_URL.unwrap());

/** @throws BellhopError whose message begins with `called` */
export function parseAs<T extends z.ZodType>(called: string, schema: T, text: string): z.output<T> {
  const { data, error } = schema.safeParse(text);
  if (error) throw badInput(`${called} ${error.issues.map(({ message }) => message).join(' ')}`);
  return data;
}

export const oneFile = (name: string) => ({ least: 0, most: 1, otherwise: `${name} takes one file.` });

/** As a start does, with all warnings. Findings name the file by the given path. */
export function readRules(path: string): ReturnType<typeof loadRulebookFile> {
  const isLocal = readEnvironment(process.env, process.cwd()).mode.slack === 'local';
  const secretsDir = process.env.BELLHOP_SECRETS_DIR || undefined;
  const missing = severityOfMissing(isLocal, false);
  const surroundings = surroundingsOf(process.env, secretsDir, standardTimings.deadlineMs, missing);
  return loadRulebookFile(resolve(path), path, operations, surroundings);
}

/** @throws Error with a line for each mistake */
export async function readValidRules(
  path: string,
): Promise<Extract<Awaited<ReturnType<typeof readRules>>, { ok: true }>> {
  const result = await readRules(path);
  if (result.ok) return result;
  throw new Error([...findingLines(result.findings), `${basename(path)} is invalid.`].join('\n'));
}

/** Resolves to undefined if there is no bellhop.yaml. @throws Error with a line for each mistake */
export async function usualRules(): Promise<Awaited<ReturnType<typeof readValidRules>> | undefined> {
  const file = usualFile();
  return existsSync(file) || process.env.BELLHOP_CONFIG ? readValidRules(file) : undefined;
}

export const usualRulebook = async (): Promise<Rulebook | undefined> => (await usualRules())?.rulebook;

export const print = (lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
};

export const note = (line: string): void => void process.stderr.write(`${line}\n`);
