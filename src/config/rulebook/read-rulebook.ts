import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import type { Inventory } from '../../core/model/inventory.ts';
import type { Rulebook, Rule } from '../../core/model/rulebook.ts';
import { deepFreeze } from '../deep-freeze.ts';
import { readSmallFile } from '../read-small-file.ts';
import { ruleArguments } from './argument-values.ts';
import { rulebookFindings, type KnownOperation } from './checks.ts';
import { schemaFindings } from './schema-issues.ts';
import { rulebookFile, type RulebookFile } from './schema.ts';
import { readYaml, type YamlProblem } from './yaml-source.ts';

/** Bytes. */
export const largestRulebook = 1024 * 1024;
const mostProblems = 20;
/** To find the place of a problem costs time; a file with more of them than this is no file of rules. */
const mostLocated = 200;

export type RulebookResult =
  | { readonly ok: true; readonly rulebook: Rulebook }
  /** A line each, ready to be shown: `bellhop.yaml:12:14: rules[2].roles[0]: what is wrong`. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads `bellhop.yaml`. `label` is how problems call the file. Never throws. */
export function readRulebook(
  path: string,
  label: string,
  operations: readonly KnownOperation[],
): RulebookResult {
  const file = readSmallFile(path, largestRulebook);
  if ('problem' in file) return { ok: false, problems: [`${label} ${file.problem}.`] };
  return parseRulebook(file.bytes, label, operations);
}

const sample = fileURLToPath(new URL('../../../bellhop.example.yaml', import.meta.url));

/** The rules of local mode: the very file that newcomers copy, so that what it says is also what they see work. */
export const readSampleRulebook = (operations: readonly KnownOperation[]): RulebookResult =>
  readRulebook(sample, 'bellhop.example.yaml', operations);

/** As `readRulebook`, from bytes already read. The policy's hash is the SHA-256 of exactly these. */
export function parseRulebook(
  bytes: Uint8Array,
  label: string,
  operations: readonly KnownOperation[],
): RulebookResult {
  const text = decoded(bytes);
  if (text === undefined) return { ok: false, problems: [`${label} is not UTF-8 text.`] };
  const { problems, content } = readYaml(text);
  if (!content) return { ok: false, problems: listed(label, problems) };
  if (content.value === null) {
    return { ok: false, problems: [`${label} is empty: start from bellhop.example.yaml.`] };
  }
  const parsed = rulebookFile.safeParse(content.value, { reportInput: true });
  const findings = [
    ...schemaFindings(parsed.error?.issues ?? []),
    ...rulebookFindings(content.value, operations),
  ];
  if (problems.length > 0 || findings.length > 0 || !parsed.success) {
    const located = findings.slice(0, mostLocated).map(content.locate);
    return {
      ok: false,
      problems: listed(label, [...problems, ...located], findings.length - located.length),
    };
  }
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { ok: true, rulebook: deepFreeze(rulebook(parsed.data, hash, operations)) };
}

function rulebook(file: RulebookFile, hash: string, operations: readonly KnownOperation[]): Rulebook {
  const { project, region, regions, instances, containers, roles, freeze, requests, extensions } = file;
  const { guard: guards, announce } = file;
  const inventory = { project, region, regions, instances, containers };
  return {
    inventory,
    policy: {
      roles,
      rules: file.rules.map((written) => rule(written, operations, inventory)),
      freeze,
      hash,
    },
    secrets: file.secrets,
    expireAfterMs: requests.expire_after,
    leaseMs: requests.lease,
    drainMs: requests.drain,
    keepMs: requests.keep,
    extensions,
    limits: file.limits.map(({ at_most: atMost, within: withinMs, ...limit }) => ({
      ...limit,
      atMost,
      withinMs,
    })),
    guards,
    announce: {
      breakGlass: announce.break_glass,
      brokenRules: announce.broken_rules ?? approving(file),
    },
  };
}

/** Whoever approves is who minds the rules, unless the file names others. */
const approving = ({ rules, guard }: RulebookFile): readonly string[] => [
  ...new Set([...rules, ...guard].flatMap(({ approvers }) => approvers ?? [])),
];

function rule(
  written: RulebookFile['rules'][number],
  operations: readonly KnownOperation[],
  inventory: Inventory,
): Rule {
  const { then: effect, approvers, approvals, confirm, break_glass: breakGlass, ...conditions } = written;
  return {
    ...conditions,
    ...(conditions.arguments && { arguments: ruleArguments(conditions, operations, inventory) }),
    effect,
    approvers: approvers ?? [],
    approvals: approvals ?? 1,
    typeName: confirm === 'type-name',
    confirmNever: confirm === 'never',
    breakGlass: breakGlass ?? [],
  };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** In the order of the file, the first twenty. `unlisted` counts those that were not even located. */
function listed(label: string, problems: readonly YamlProblem[], unlisted = 0): readonly string[] {
  const ordered = problems.toSorted((one, other) => one.line - other.line || one.column - other.column);
  const lines = ordered.map(({ line, column, path, text }) =>
    `${label}:${line}:${column}: ${path === '' ? '' : `${path}: `}${text}`.replaceAll(/\p{C}/gu, '�'),
  );
  const different = [...new Set(lines)];
  const shown = different.slice(0, mostProblems);
  const more = different.length - shown.length + unlisted;
  return more > 0 ? [...shown, `${label}: … and ${more} more.`] : shown;
}
