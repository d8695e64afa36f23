import {
  type Document,
  LineCounter,
  type Node,
  type Scalar,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
} from 'yaml';
import { abridged } from '../../text/words.ts';
import type { z } from 'zod';

import { didYouMean, nearest } from '../../text/nearest.ts';
import { decodeUtf8 } from '../../program/files.ts';
import type { Finding, Severity } from '../../model/rulebook/finding.ts';
import { type Deprecated, whatInstead } from '../../model/deprecated.ts';
import { findDeprecated } from './deprecated-keys.ts';
import { type Locate, type LocatedFinding, createLocate, offsetOf } from './findings.ts';
import { keysAt, readBySchema } from './read-by-schema.ts';
import { plainFault, unseenBefore, unseenIn } from './yaml-faults.ts';

type YamlFile<T> =
  | { readonly ok: true; readonly data: T; readonly written: unknown; readonly locate: Locate }
  | { readonly ok: false; readonly findings: readonly LocatedFinding[] };

/** Its content takes the place of a key of a YAML file. */
export interface Included {
  readonly key: string;
  readonly path: string;
  /** The bytes, or the code of why they could not be read. */
  readonly bytes: Uint8Array | string;
  /** Either there are findings, or a value. */
  readonly findings: readonly LocatedFinding[];
  readonly value?: unknown;
  readonly locate: Locate;
}

interface FileKind<S extends z.ZodType<object>> {
  readonly schema: S;
  readonly example: string;
  /** Returns a file that stands for one of the keys. */
  readonly include?: ((written: unknown) => Included | undefined) | undefined;
  readonly deprecated?: readonly Deprecated[] | undefined;
}

export interface OpenYamlFile<T> {
  /** Undefined if there are findings. */
  readonly data?: T | undefined;
  /** The valid part of the file, a `Fitting`. Undefined if nothing is valid. */
  readonly fitting?: T | undefined;
  readonly written?: unknown;
  readonly locate: Locate;
  readonly findings: readonly LocatedFinding[];
  readonly deprecations: readonly LocatedFinding[];
  readonly included?: Included | undefined;
}

/** Never throws. @param label the file's name in findings */
export function parseYamlFile<S extends z.ZodType<object>>(
  bytes: Uint8Array,
  label: string,
  kind: FileKind<S>,
): YamlFile<z.output<S>> {
  return checkYamlFile(openYamlFile(bytes, label, kind), () => []);
}

/**
 * @param check the checks beyond the schema; gets a `Fitting`, whose invalid parts are undefined, and the keys of the
 * file
 */
export function checkYamlFile<T>(
  { data, fitting, written, locate, findings }: OpenYamlFile<T>,
  check: (read: T, written: readonly string[]) => Iterable<Finding>,
): YamlFile<T> {
  const keys = typeof written === 'object' && written !== null ? Object.keys(written) : [];
  const found = fitting === undefined ? [] : [...check(fitting, keys)];
  if (findings.length === 0 && found.length === 0 && data !== undefined)
    return { ok: true, data, written, locate };
  return { ok: false, findings: [...findings, ...locate(found, 'error')] };
}

const broken = (findings: readonly LocatedFinding[]) => ({
  findings,
  deprecations: [],
  locate: () => [],
});

/**
 * Reads plain data, without tags or duplicate keys, and with aliases within bounds. Never throws.
 * @param label the file's name in findings
 */
export function openYamlFile<S extends z.ZodType<object>>(
  bytes: Uint8Array,
  label: string,
  { schema, example, include, deprecated = [] }: FileKind<S>,
): OpenYamlFile<z.output<S>> {
  const text = decodeUtf8(bytes);
  if (text === undefined) return broken([fileError(label, 'is not UTF-8 text.')]);
  const lines = new LineCounter();
  const document = parse(text, lines);
  const locatedAs =
    (severity: Severity) =>
    ({ offset, text: message, ...of }: Problem): LocatedFinding => {
      const { line, col: column } = lines.linePos(offset);
      return {
        file: label,
        line,
        column,
        path: of.path ?? '',
        severity,
        message,
        suggestion: of.suggestion,
      };
    };
  const errorAt = locatedAs('error');
  const fault = firstFault(document, text);
  const problems = fault ? [fault] : treeProblems(document.contents, text);
  if (problems.some(({ fatal }) => fatal)) return broken(problems.map(errorAt));
  const { known: stillKnown, twice } = renameDeprecated(document, deprecated);
  const faults = [...problems, ...twice, ...mendSections(document, keysAt(schema, []))].map(errorAt);
  const deprecations = stillKnown.map(locatedAs('warning'));
  // The bound on the tree was just checked, and is stricter.
  const inFile: unknown = document.toJS({ maxAliasCount: -1 });
  if (inFile === null) return broken([fileError(label, `is empty: start from ${example}.`)]);
  const included = include?.(inFile);
  if (included && included.findings.length > 0)
    return { ...broken([...faults, ...included.findings]), included };
  const written = included ? Object.assign({}, inFile, { [included.key]: included.value }) : inFile;
  const { data, fitting, findings } = readBySchema(schema, written);
  const locate = locateIn(createLocate(label, document, lines, inFile), included);
  return {
    data,
    fitting,
    written,
    locate,
    findings: [...faults, ...locate(findings, 'error')],
    deprecations,
    included,
  };
}

/** Locates findings about an included file in that file. */
const locateIn =
  (inFile: Locate, included: Included | undefined): Locate =>
  (findings, severity) => {
    const isInside = ({ path }: Finding): boolean => path.length > 1 && path[0] === included?.key;
    const inside = findings.filter(isInside).map(({ path, text, at, value, misspelt }): Finding => ({
      path: path.slice(1),
      text,
      at,
      value,
      misspelt,
    }));
    const others = findings.filter((finding) => !isInside(finding));
    const located = inFile(others, severity);
    return inside.length === 0 ? located : [...located, ...(included?.locate(inside, severity) ?? [])];
  };

/** A finding about the whole file; its text completes a sentence that starts with the file's name. */
export const fileError = (file: string, message: string): LocatedFinding => ({
  file,
  path: '',
  severity: 'error',
  message,
});

const parse = (text: string, lineCounter: LineCounter): Document =>
  parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    // The schema is named, so that a %YAML directive cannot bring back merge keys, or “yes” as true.
    schema: 'core',
    stringKeys: true,
    resolveKnownTags: false,
    // The library's own check takes quadratic time, so treeProblems looks for duplicates.
    uniqueKeys: false,
  });

interface Problem {
  readonly offset: number;
  readonly text: string;
  readonly path?: string | undefined;
  readonly suggestion?: string | undefined;
  /** Whether the tree cannot be turned into values. */
  readonly fatal?: boolean | undefined;
}

/** Later errors are mostly consequences of the first. */
function firstFault(document: Document, text: string): Problem | undefined {
  const faults = [...document.errors, ...document.warnings];
  // The parser's position depends on the stack, so the position is not helpful.
  if (faults.some(({ code }) => code === 'RESOURCE_EXHAUSTION'))
    return { offset: 0, text: 'the file is nested too deeply.', fatal: true };
  const [first] = faults.toSorted((one, other) => one.pos[0] - other.pos[0]);
  if (!first) return undefined;
  const [offset] = first.pos;
  const seen = unseenBefore(text, offset) ?? { offset, text: plainFault(first, document, text) };
  return { ...seen, fatal: true };
}

/** A deprecated key is read as the one that replaces it. */
function renameDeprecated(document: Document, deprecated: readonly Deprecated[]) {
  const found = findDeprecated(document, deprecated).map(({ key, of, isTwice }) => {
    const other = `Remove it, because ${of.instead} is set, too.`;
    const text = isTwice ? `is deprecated. ${other}` : whatInstead(of);
    if (!isTwice) key.value = of.instead;
    return { isTwice, offset: offsetOf(key), text, path: of.name };
  });
  return { known: found.filter((one) => !one.isTwice), twice: found.filter((one) => one.isTwice) };
}

/** A section with a misspelt key is read as the intended section, so that references to that section are valid. */
function mendSections({ contents }: Document, sections: readonly string[]): readonly Problem[] {
  const pairs = isMap(contents) ? contents.items : [];
  const keys = pairs.flatMap(({ key }) => (isScalar<string>(key) ? [key] : []));
  const taken = new Set(keys.map(({ value }) => value));
  return keys.flatMap((key): readonly Problem[] => {
    const { value: path } = key;
    const meant = sections.includes(path) ? undefined : nearest(path, sections);
    if (meant === undefined || taken.has(meant)) return [];
    taken.add(meant);
    key.value = meant;
    const suggestion = didYouMean(path, sections, 1).trim() || undefined;
    return [{ offset: offsetOf(key), text: 'is not a valid key here.', path, suggestion }];
  });
}

const maxNodes = 300_000;
const maxAliases = 1000;
const deepest = 32;

/**
 * Finds problems of a well-formed tree. These are duplicate and merge keys, characters that no one sees, keys that JavaScript treats as its own, more than 32
 * levels, and aliases that lead into themselves or multiply into more than 300,000 values. The walk visits each node
 * once, in order, and takes linear time, unlike the YAML library's checks. The library's resolving of aliases takes
 * longer, too, so at most 1,000 aliases are allowed.
 */
function treeProblems(root: Node | null, file: string): readonly Problem[] {
  /** The value of an alias at this point of the document. */
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();
  const weights = new Map<Node, number>();
  const problems: Problem[] = [];
  let aliases = 0;
  const refuse = (node: Node, text: string, fatal = true): void =>
    void problems.push({ offset: offsetOf(node), text, fatal });

  const checkText = (scalar: Scalar, isKey = false): void => {
    const found = unseenIn(file, scalar, isKey);
    if (found) problems.push({ ...found, fatal: true });
  };
  const checkKeys = (keys: readonly Node[]): void => {
    const seen = new Set<unknown>();
    for (const key of keys) {
      if (!isScalar(key)) continue;
      checkText(key, true);
      if (key.value === '<<' && key.type === 'PLAIN')
        refuse(key, 'merge keys (<<) are not supported; write the keys out here.');
      if (key.value === '__proto__') refuse(key, '“__proto__” cannot be used as a key.');
      if (seen.has(key.value)) refuse(key, `duplicate key “${abridged(String(key.value))}”.`, false);
      seen.add(key.value);
    }
  };
  const children = (node: Node): readonly Node[] => {
    if (isScalar(node)) checkText(node);
    if (isAlias(node)) {
      aliases += 1;
      const source = anchors.get(node.source);
      if (source) return [source];
      const found = unseenBefore(file, offsetOf(node));
      if (found) problems.push({ ...found, fatal: true });
      else refuse(node, `there is no anchor &${node.source} before this alias.`);
    }
    if (isSeq<Node>(node)) return node.items;
    if (!isMap<Node, Node | null>(node)) return [];
    checkKeys(node.items.map(({ key }) => key));
    return node.items.flatMap(({ value }) => value ?? []);
  };
  /** With aliases written out. */
  const weigh = (node: Node, depth: number): number => {
    const known = weights.get(node);
    if (known !== undefined) return known;
    if (open.has(node) || depth > deepest) {
      const levels = `this is nested more than ${deepest} levels deep.`;
      refuse(node, open.has(node) ? 'this alias refers to itself.' : levels);
      return 1;
    }
    if (!isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    open.add(node);
    const weight = children(node).reduce((sum, child) => sum + weigh(child, depth + 1), 1);
    open.delete(node);
    weights.set(node, weight);
    return weight;
  };

  if (root && weigh(root, 0) > maxNodes)
    return tooMuch(`the file has more than ${maxNodes} values when its aliases (*…) are written out.`);
  return aliases > maxAliases ? tooMuch(`the file has more than ${maxAliases} aliases (*…).`) : problems;
}

const tooMuch = (text: string): readonly Problem[] => [{ offset: 0, text, fatal: true }];
