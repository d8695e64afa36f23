import { lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { badConfiguration } from '../model/values/errors.ts';
import type { Operation } from '../model/operation.ts';
import {
  type Config,
  deepFreeze,
  type Environment,
  readEnvironment,
  type Variables,
} from './environment/environment.ts';
import { alikeSecrets, secretNames } from './environment/secrets.ts';
import type { MaskText } from '../command/redactor.ts';
import type { Severity } from '../model/rulebook/finding.ts';
import {
  largestRulebook,
  loadRulebookFile,
  readSampleRulebook,
  type RulebookElsewhere,
  rulebookLines,
  type RulebookLines,
  type RulebookPlace,
} from './rulebook/read-rulebook.ts';
import type { Surroundings } from '../model/section.ts';
import { readSmallFile } from '../program/files.ts';

/** For large files: parsing takes up to two hundred times the file's size in memory, which is free again when the worker ends. */
type ReadElsewhere = (
  bytes: Uint8Array,
  place: RulebookPlace,
  surroundings: Surroundings,
) => Promise<RulebookElsewhere>;

/** In bytes. For a smaller file, starting a worker would take longer than parsing. */
const largeFile = 256 * 1024;

/**
 * Reads the environment, `bellhop.yaml`, and your own operations that the file names. Relative paths are taken from
 * `cwd`. Rules are checked against all operations. Nothing starts on half a configuration.
 * @param builtIn the operations that Bellhop brings
 * @param mask masks learnt secrets in what your own operations return
 * @param longestCallMs how long a call to the service can take; a lease has to be longer
 * @throws BellhopError `configuration`, with a line for each problem; of the environment, only the path in
 * BELLHOP_CONFIG is ever quoted
 */
export async function loadConfig(
  env: Variables,
  cwd: string,
  builtIn: readonly Operation[],
  longestCallMs?: number,
  readElsewhere?: ReadElsewhere,
  mask?: MaskText,
): Promise<LoadedConfig> {
  const environment = readEnvironment(env, cwd);
  const { settings } = environment;
  const { slack, production } = environment.mode;
  const missing = severityOfMissing(slack === 'local', production);
  const surroundings = surroundingsOf(env, settings?.secretsDir, longestCallMs, missing);
  const rules = await readRules(environment, cwd, { builtIn, surroundings, readElsewhere, mask });
  if (!settings || !rules.rulebook) {
    throw badConfiguration([...environment.problems, ...rules.problems].join('\n'));
  }
  const config = deepFreeze({
    ...settings,
    rulebook: rules.rulebook,
    warnings: () => [...environment.warnings, ...rules.warnings()],
    configFile: rules.file,
    awaitedFile: rules.awaited,
    targetsFile: rules.targets?.path,
  });
  return { config, operations: rules.operations ?? builtIn };
}

interface LoadedConfig {
  readonly config: Config;
  readonly operations: readonly Operation[];
}

export const surroundingsOf = (
  env: Variables,
  secretsDir: string | undefined,
  longestCallMs: number | undefined,
  unusable: Severity | undefined,
): Surroundings => ({
  secretNames: secretNames(env, secretsDir),
  alikeSecrets: alikeSecrets(env, secretsDir),
  longestCallMs,
  unusable,
  // Local parts reach Bellhop at its own port.
  isReachable: unusable === undefined || Boolean(env['PUBLIC_URL']?.trim()),
});

/** In local mode, the alert drill provides a secret. */
export function severityOfMissing(isLocal: boolean, production: boolean): Severity | undefined {
  if (isLocal) return undefined;
  return production ? 'error' : 'warning';
}

interface Rules extends RulebookLines {
  readonly file?: string;
  readonly awaited?: string;
  readonly operations?: readonly Operation[];
}

interface Reading {
  readonly builtIn: readonly Operation[];
  readonly surroundings: Surroundings;
  readonly readElsewhere: ReadElsewhere | undefined;
  readonly mask: MaskText | undefined;
}

async function readLarge(
  file: string,
  label: string,
  { builtIn, surroundings, readElsewhere, mask }: Reading,
): Promise<Rules | undefined> {
  const read = readSmallFile(file, largestRulebook);
  if (!readElsewhere || 'problem' in read || read.bytes.length < largeFile) return undefined;
  const folder = dirname(file);
  try {
    const { files, ...lines } = await readElsewhere(read.bytes, { label, folder }, surroundings);
    if (!lines.rulebook || files.length === 0) return { file, ...lines };
    const { loadOperations } = await import('./own/load-operations.ts');
    const kinds = Object.keys(lines.rulebook.inventory.targets);
    const own = await loadOperations({ files, folder, builtIn, kinds, mask });
    return { file, ...lines, operations: [...builtIn, ...own.operations] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { warnings: () => [], problems: [`${label} could not be read (${why}). Make it smaller.`] };
  }
}

/** The sample is used only with the local service, never for real machines. */
async function readRules(
  { rulesFile: named, mode }: Environment,
  cwd: string,
  reading: Reading,
): Promise<Rules> {
  const { builtIn, surroundings, mask } = reading;
  const label = named ?? 'bellhop.yaml';
  const file = resolve(cwd, label);
  if (named !== undefined && !isThere(file)) {
    return {
      warnings: () => [],
      problems: [
        `${label} does not exist. Set BELLHOP_CONFIG to your bellhop.yaml; examples/bellhop.minimal.yaml is a starting point.`,
      ],
    };
  }
  if (named !== undefined || isThere(file)) {
    const large = await readLarge(file, label, reading);
    if (large) return large;
    const loaded = await loadRulebookFile(file, label, builtIn, surroundings, mask);
    return { file, operations: loaded.operations, ...rulebookLines(loaded) };
  }
  if (mode.service === 'local')
    return {
      awaited: file,
      ...rulebookLines(readSampleRulebook(builtIn, surroundings, mode.slack === 'local')),
    };
  return {
    warnings: () => [],
    problems: [
      `bellhop.yaml is missing in ${cwd}. Copy examples/bellhop.minimal.yaml and adapt it, or set BELLHOP_CONFIG.`,
    ],
  };
}

/** A dangling link counts as existing, because the file was meant to be used. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
