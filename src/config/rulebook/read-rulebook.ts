import { createHash } from 'node:crypto';
import { dirname } from 'node:path';

import { z } from 'zod';

import type { Agents, Hooks, Rule, Rulebook } from '../../model/rulebook.ts';
import type { Accounts, Inventory } from '../../model/target.ts';
import type { Operation } from '../../model/operation.ts';
import type { Sections } from '../policy/compare.ts';
import { readDuration } from '../../text/words.ts';
import { deepFreeze } from '../environment/environment.ts';
import { projectFile, readSmallFile } from '../../program/files.ts';
import { ruleArguments } from './checks/argument-values.ts';
import { rulebookWarnings, type Surroundings } from '../warnings/warnings.ts';
import { rulebookFindings } from './checks/checks.ts';
import { findingLines, type Locate, type LocatedFinding } from '../yaml/findings.ts';
import { identityOf } from './schema/identity-schema.ts';
import { schedulesOf } from './schema/schedule-schema.ts';
import { type FittingFile, rulebookFile, type RulebookFile } from './schema/schema.ts';
import { checkYamlFile, fileError, openYamlFile, type OpenYamlFile } from '../yaml/yaml-file.ts';

/** Bytes: ten thousand instances with a dozen labels each. */
export const largestRulebook = 4 * 1024 * 1024;

export type RulebookResult =
  | {
      readonly ok: true;
      readonly rulebook: Rulebook;
      /** To locate later findings. */
      readonly locate: Locate;
      /** The content, for comparison with another version. */
      readonly sections: Sections;
      /** Warnings; the rules are valid. */
      readonly warnings: readonly LocatedFinding[];
    }
  | { readonly ok: false; readonly findings: readonly LocatedFinding[] };

/** The result, with a line per finding. */
export interface RulebookLines {
  /** Undefined: there are problems. */
  readonly rulebook?: Rulebook | undefined;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export const rulebookLines = (result: RulebookResult): RulebookLines =>
  result.ok
    ? { rulebook: result.rulebook, problems: [], warnings: findingLines(result.warnings) }
    : { problems: findingLines(result.findings), warnings: [] };

/** Reads `bellhop.yaml`. `label` names the file in findings. Never throws. */
export function readRulebook(
  path: string,
  label: string,
  operations: readonly Operation[],
  surroundings: Surroundings = {},
): RulebookResult {
  const file = readSmallFile(path, largestRulebook);
  if ('problem' in file) return { ok: false, findings: [fileError(label, `${file.problem}.`)] };
  return parseRulebook(file.bytes, label, operations, surroundings);
}

const sample = 'bellhop.example.yaml';

/**
 * The rules of local mode: the file that explains every key, so that people can try all of it.
 * @param inPlayground lines that begin with `#playground` are in force
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

const kind = { schema: rulebookFile, example: 'bellhop.minimal.yaml' };

/** Like `readRulebook`, from bytes. The policy's hash is their SHA-256. */
export const parseRulebook = (
  bytes: Uint8Array,
  label: string,
  operations: readonly Operation[],
  surroundings: Surroundings = {},
): RulebookResult => checkRulebook(openYamlFile(bytes, label, kind), bytes, operations, surroundings);

/** Rules, and all operations that they are about. */
type LoadedRulebook = RulebookResult & {
  readonly operations: readonly Operation[];
  /** The files of operations of your own, as written. */
  readonly files: readonly string[];
};

/** A file's path, and its name in findings. */
export interface RulebookPlace {
  readonly label: string;
  /** The base folder of operation files. */
  readonly folder: string;
}

/**
 * As `parseRulebook`, with the operations of your own that it names. If one of these can't be loaded, nothing is reported about rules
 * that name it. Never rejects.
 */
export async function loadRulebook(
  bytes: Uint8Array,
  { label, folder }: RulebookPlace,
  builtIn: readonly Operation[],
  surroundings: Surroundings = {},
): Promise<LoadedRulebook> {
  const file = openYamlFile(bytes, label, kind);
  const fitting: FittingFile = file.fitting ?? {};
  const files = (fitting.operations ?? []).flatMap((path) => path ?? []);
  const kinds = Object.keys(fitting.targets ?? {});
  if (files.length === 0)
    return { ...checkRulebook(file, bytes, builtIn, surroundings), operations: builtIn, files };
  const { loadOperations } = await import('../own/load-operations.ts');
  const own = await loadOperations({ files, folder, builtIn, kinds });
  const operations = [...builtIn, ...own.operations];
  const wrong = [...file.locate(own.findings, 'error'), ...own.mistakes];
  if (wrong.length > 0) return { ok: false, findings: [...file.findings, ...wrong], operations, files };
  return { ...checkRulebook(file, bytes, operations, surroundings), operations, files };
}

/** The part that another thread can pass on: all except operations, which must be loaded where they run. */
export interface RulebookElsewhere extends RulebookLines {
  readonly files: readonly string[];
}

/** As `loadRulebook`, from a file. */
export async function loadRulebookFile(
  path: string,
  label: string,
  builtIn: readonly Operation[],
  surroundings: Surroundings = {},
): Promise<LoadedRulebook> {
  const file = readSmallFile(path, largestRulebook);
  if ('problem' in file)
    return { ok: false, findings: [fileError(label, `${file.problem}.`)], operations: builtIn, files: [] };
  return loadRulebook(file.bytes, { label, folder: dirname(path) }, builtIn, surroundings);
}

function checkRulebook(
  opened: OpenYamlFile<RulebookFile>,
  bytes: Uint8Array,
  operations: readonly Operation[],
  surroundings: Surroundings,
): RulebookResult {
  const file = checkYamlFile(opened, (read, written) => rulebookFindings(read, written, operations));
  if (!file.ok) return file;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const read = deepFreeze(rulebookOf(file.data, hash, operations));
  const { error, warning } = rulebookWarnings(read, operations, surroundings);
  if (error.length > 0) return { ok: false, findings: file.locate(error, 'error') };
  return {
    ok: true,
    rulebook: read,
    locate: file.locate,
    sections: sectionsOf(file.data, file.written),
    warnings: file.locate(warning, 'warning'),
  };
}

function sectionsOf(data: RulebookFile, file: unknown): Sections {
  const written = z.record(z.string(), z.unknown()).parse(file);
  return Object.fromEntries(
    Object.entries(data).map(([name, read]) => [name, { read, written: written[name] }]),
  );
}

function rulebookOf(file: RulebookFile, hash: string, operations: readonly Operation[]): Rulebook {
  const { project, region, regions, instances, containers, targets, roles, freeze, requests } = file;
  const { guard: guards, announce } = file;
  const accounts = accountsOf(file);
  const inventory = { project, region, regions, accounts, instances, containers, targets };
  return {
    inventory,
    schedules: schedulesOf(file),
    identity: identityOf(file),
    policy: {
      roles,
      rules: file.rules.map((written) => rule(written, operations, inventory)),
      freeze,
      hash,
    },
    secrets: secretsOf(file),
    expireAfterMs: requests.expire_after,
    leaseMs: requests.lease,
    drainMs: requests.drain,
    timeoutMs: requests.timeout,
    readTimeoutMs: requests.read_timeout,
    keepMs: requests.keep,
    extensions: accounts ? [...file.extensions, 'accounts'] : file.extensions,
    links: file.links,
    limits: file.limits.map(({ at_most: atMost, within: withinMs, ...limit }) => ({
      ...limit,
      atMost,
      withinMs,
    })),
    guards,
    hooks: hooksOf(file),
    agents: agentsOf(file),
    audit: {
      keys: file.audit.key ?? [],
      channel: file.audit.channel,
      publish: file.audit.publish ?? [],
      witnesses: file.audit.witnesses ?? [],
      forward: file.audit.forward && {
        url: file.audit.forward.url,
        token: file.audit.forward.token,
        from: file.audit.forward.from,
        contentType: file.audit.forward.content_type,
      },
    },
    announce: {
      breakGlass: announce.break_glass,
      brokenRules: announce.broken_rules ?? approving(file),
    },
  };
}

/** Undefined without any. */
function accountsOf({ accounts }: RulebookFile): Accounts | undefined {
  const listed = Object.entries(accounts);
  if (listed.length === 0) return undefined;
  return Object.fromEntries(listed.map(([name, { base_url: baseUrl, key }]) => [name, { baseUrl, key }]));
}

const secretsOf = ({ secrets }: RulebookFile): Rulebook['secrets'] =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, { fields = [], operations = [], hosts }]) => [
      name,
      { fields, operations, hosts },
    ]),
  );

const hooksOf = ({ hooks }: RulebookFile): Hooks =>
  Object.fromEntries(
    Object.entries(hooks).map(([name, { target_label: targetLabel, ...hook }]) => [
      name,
      { ...hook, targetLabel },
    ]),
  );

const agentsOf = ({ agents }: RulebookFile): Agents =>
  Object.fromEntries(
    Object.entries(agents).map(([name, { expire_after: expireAfterMs, ...agent }]) => [
      name,
      { ...agent, expireAfterMs },
    ]),
  );

/** The approvers own the rules, unless the file names others. */
const approving = ({ rules, guard }: RulebookFile): readonly string[] => [
  ...new Set([...rules, ...guard].flatMap(({ approvers }) => approvers ?? [])),
];

const approversAfter = (
  written: NonNullable<RulebookFile['rules'][number]['approvers_after']>,
): Rule['approversAfter'] =>
  Object.entries(written)
    .map(([after, roles]) => ({ after, afterMs: readDuration(after) ?? 0, roles }))
    .toSorted((one, other) => one.afterMs - other.afterMs);

function rule(
  written: RulebookFile['rules'][number],
  operations: readonly Operation[],
  inventory: Inventory,
): Rule {
  const {
    then: effect,
    approvers,
    approvals,
    confirm,
    break_glass: breakGlass,
    step_up: stepUp,
    approvers_after: further,
    ...conditions
  } = written;
  return {
    ...conditions,
    ...(conditions.arguments && { arguments: ruleArguments(conditions, operations, inventory) }),
    effect,
    approvers: approvers ?? [],
    approvals: approvals ?? 1,
    approversAfter: further && approversAfter(further),
    typeName: confirm === 'type-name',
    confirmNever: confirm === 'never',
    breakGlass: breakGlass ?? [],
    stepUp,
  };
}
