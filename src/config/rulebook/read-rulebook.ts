import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';

import { z } from 'zod';

import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import type { Operation } from '../../model/operation.ts';
import type { Sections } from '../policy/compare.ts';
import type { MaskText } from '../../command/redactor.ts';
import { deprecatedKeys } from '../../model/deprecated.ts';
import { deepFreeze } from '../environment/environment.ts';
import { lazily, mapValues } from '../../text/words.ts';
import { projectFile, readSmallFile } from '../../program/files.ts';
import { rulebookOf } from './rulebook-of.ts';
import type { Surroundings } from '../../model/section.ts';
import { findingsOf, rulebookWarnings } from '../warnings/warnings.ts';
import { rulebookFindings } from './checks/checks.ts';
import { findingLines, type Locate, type LocatedFinding } from '../yaml/findings.ts';
import type { FittingFile, RulebookFile } from '../../model/rulebook/schema.ts';
import { rulebookFile } from './rulebook-file.ts';
import { targetsFile } from '../../model/rulebook/inventory-schema.ts';
import { includeJson } from '../yaml/included-json.ts';
import {
  checkYamlFile,
  fileError,
  type Included,
  openYamlFile,
  type OpenYamlFile,
} from '../yaml/yaml-file.ts';

/** In bytes. Ten thousand instances with a dozen labels each fit. */
export const largestRulebook = 4 * 1024 * 1024;

export type RulebookResult =
  | {
      readonly ok: true;
      readonly rulebook: Rulebook;
      readonly locate: Locate;
      readonly sections: Sections;
      /** The rules are valid despite these. Finding them takes longer than everything else. */
      readonly warnings: () => readonly LocatedFinding[];
    }
  | { readonly ok: false; readonly findings: readonly LocatedFinding[] };

export interface RulebookLines {
  /** Undefined if there are problems. */
  readonly rulebook?: Rulebook | undefined;
  readonly problems: readonly string[];
  readonly warnings: () => readonly string[];
  readonly targets?: TargetsFile | undefined;
}

interface TargetsFile {
  /** Absolute. */
  readonly path: string;
  /** Of `bellhop.yaml` and this file, as they were read. */
  readonly hash: string;
}

/** @param targets the bytes of the file that `targets` names, or why they could not be read */
export const rulebookHash = (bytes: Uint8Array, targets: Uint8Array | string = ''): string =>
  createHash('sha256').update(bytes).update(targets).digest('hex');

export const rulebookLines = (result: RulebookResult & Pick<RulebookLines, 'targets'>): RulebookLines => ({
  targets: result.targets,
  ...(result.ok
    ? {
        rulebook: result.rulebook,
        problems: [],
        warnings: lazily(() => findingLines(result.warnings())),
      }
    : { problems: findingLines(result.findings), warnings: () => [] }),
});

const sample = 'examples/bellhop.example.yaml';

/**
 * The sample file explains every key, so that people can try all of the keys.
 * @param inPlayground whether lines that begin with `#playground` are in force
 */
export function readSampleRulebook(
  operations: readonly Operation[],
  surroundings?: Surroundings,
  inPlayground = false,
): RulebookResult {
  const file = readSmallFile(projectFile(sample), largestRulebook);
  if ('problem' in file) return { ok: false, findings: [fileError(sample, `${file.problem}.`)] };
  const text = Buffer.from(file.bytes)
    .toString('utf8')
    .replaceAll(/^( *)#playground /gmu, '$1');
  return parseRulebook(inPlayground ? Buffer.from(text) : file.bytes, sample, operations, surroundings);
}

const kindIn = ({ deprecated = deprecatedKeys }: Surroundings) => ({
  schema: rulebookFile,
  example: 'examples/bellhop.minimal.yaml',
  deprecated,
});

/**
 * `label` names the file in findings. The policy's hash is the SHA-256 of the file's bytes and then the bytes of the file that `targets`
 * names. Never throws.
 */
export const parseRulebook = (
  bytes: Uint8Array,
  label: string,
  operations: readonly Operation[],
  surroundings: Surroundings = {},
): RulebookResult =>
  checkRulebook(openYamlFile(bytes, label, kindIn(surroundings)), bytes, operations, surroundings);

type LoadedRulebook = RulebookResult & {
  readonly operations: readonly Operation[];
  readonly files: readonly string[];
  readonly targets?: TargetsFile | undefined;
};

const namesTargets = z.object({ targets: targetsFile });

function includeTargets(written: unknown, folder: string): Included | undefined {
  const { data } = namesTargets.safeParse(written);
  return data && includeJson('targets', resolve(folder, data.targets), data.targets, largestRulebook);
}

export interface RulebookPlace {
  readonly label: string;
  readonly folder: string;
}

/**
 * Loads your own operations, too. If an operation can't be loaded, nothing is reported about rules that name the operation. Never rejects.
 */
export async function loadRulebook(
  bytes: Uint8Array,
  { label, folder }: RulebookPlace,
  builtIn: readonly Operation[],
  surroundings: Surroundings = {},
  mask?: MaskText,
): Promise<LoadedRulebook> {
  const include = (written: unknown): Included | undefined => includeTargets(written, folder);
  const file = openYamlFile(bytes, label, { ...kindIn(surroundings), include });
  const { included } = file;
  const targets = included && { path: included.path, hash: rulebookHash(bytes, included.bytes) };
  const fitting: FittingFile = file.fitting ?? {};
  const files = (fitting.operations ?? []).flatMap((path) => path ?? []);
  const kinds = ['instance', 'container', ...Object.keys(fitting.targets ?? {})];
  if (files.length === 0)
    return { ...checkRulebook(file, bytes, builtIn, surroundings), operations: builtIn, files, targets };
  const { loadOperations } = await import('../own/load-operations.ts');
  const own = await loadOperations({ files, folder, builtIn, kinds, mask });
  const operations = [...builtIn, ...own.operations];
  const wrong = [...file.locate(own.findings, 'error'), ...own.mistakes];
  if (wrong.length > 0)
    return { ok: false, findings: [...file.findings, ...wrong], operations, files, targets };
  return { ...checkRulebook(file, bytes, operations, surroundings), operations, files, targets };
}

/** Another process can pass this on. Operations are omitted, because they must be loaded where they run. */
export interface RulebookElsewhere extends RulebookLines {
  readonly files: readonly string[];
}

export async function loadRulebookFile(
  path: string,
  label: string,
  builtIn: readonly Operation[],
  surroundings: Surroundings = {},
  mask?: MaskText,
): Promise<LoadedRulebook> {
  const file = readSmallFile(path, largestRulebook);
  if ('problem' in file)
    return { ok: false, findings: [fileError(label, `${file.problem}.`)], operations: builtIn, files: [] };
  return loadRulebook(file.bytes, { label, folder: dirname(path) }, builtIn, surroundings, mask);
}

function checkRulebook(
  opened: OpenYamlFile<RulebookFile>,
  bytes: Uint8Array,
  operations: readonly Operation[],
  surroundings: Surroundings,
): RulebookResult {
  const file = checkYamlFile(opened, (read, written) =>
    rulebookFindings(read, { written, known: Object.keys(rulebookFile.shape) }, operations),
  );
  if (!file.ok) return file;
  const hash = rulebookHash(bytes, opened.included?.bytes);
  const read = deepFreeze(rulebookOf(file.data, hash, operations));
  const error = findingsOf('error', read, surroundings);
  if (error.length > 0) return { ok: false, findings: file.locate(error, 'error') };
  return {
    ok: true,
    rulebook: read,
    locate: file.locate,
    sections: sectionsOf(file.data, file.written),
    warnings: () => [
      ...opened.deprecations,
      ...file.locate(rulebookWarnings(read, operations, surroundings), 'warning'),
    ],
  };
}

function sectionsOf(data: RulebookFile, file: unknown): Sections {
  const written = z.record(z.string(), z.unknown()).parse(file);
  return mapValues<unknown, Sections[string]>(data, (read, name) => ({ read, written: written[name] }));
}
