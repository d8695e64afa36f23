import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type LineCounter } from 'yaml';

import { didYouMean } from '../../text/nearest.ts';
import type { Finding, Path, Severity } from '../../model/rulebook/finding.ts';
import { abridged } from '../../text/words.ts';

/** Lines and columns start at 1, and are absent if the file could not be parsed that far. */
export interface LocatedFinding {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** A path such as `rules[2] “production”.roles[0]`. Empty if the file could not be parsed that far. */
  readonly path: string;
  readonly severity: Severity;
  readonly message: string;
  readonly suggestion?: string | undefined;
}

/** Only one edit away, because more edits would suggest “db” for “web”. */
const suggestionFor = ({ misspelt }: Finding): string | undefined => {
  const hint = misspelt ? didYouMean(misspelt.typed, misspelt.known, 1).trim() : '';
  return hint === '' ? undefined : hint;
};

const maxLines = 20;

/** Lines such as `bellhop.yaml:12:14: rules[2] “production”.roles[0]: what is wrong`, in the order of the file. */
export function findingLines(findings: readonly LocatedFinding[], most = maxLines): readonly string[] {
  const lines = [...new Set(findings.toSorted(byPlace).map(findingLine))];
  const shown = lines.slice(0, most);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `${findings[0]?.file ?? ''}: … and ${more} more.`] : shown;
}

function findingLine(finding: LocatedFinding): string {
  const { file, line, column, path, severity, message, suggestion = '' } = finding;
  const place = line === undefined ? '' : `:${line}:${column}:`;
  const kind = severity === 'warning' ? 'warning:' : '';
  const what = [kind, path === '' ? '' : `${path}:`, message, suggestion].filter((part) => part !== '');
  return `${file}${place} ${what.join(' ')}`.replaceAll(/\p{C}/gu, '�');
}

const byPlace = (one: LocatedFinding, other: LocatedFinding): number =>
  (one.line ?? Infinity) - (other.line ?? Infinity) || (one.column ?? 0) - (other.column ?? 0);

/**
 * Only this many findings get a position, because finding a position takes time. A file with more findings is not a
 * Bellhop file.
 */
const maxLocated = 200;

export type Locate = (findings: readonly Finding[], severity: Severity) => readonly LocatedFinding[];

/** @param value the document as plain data */
export const createLocate =
  (file: string, document: Document, lines: LineCounter, value: unknown): Locate =>
  (findings, severity) =>
    findings.map((finding, index) => {
      const { path, text } = finding;
      if (index >= maxLocated) return { file, severity, path: pathText(path, value), message: text };
      const { offset, reached, source } = find(document, finding);
      const message =
        source === undefined || finding.value === undefined
          ? text
          : text.replaceAll(finding.value, () => source);
      const { line, col: column } = lines.linePos(offset);
      const suggestion = suggestionFor(finding);
      return { file, severity, line, column, path: pathText(reached, value), message, suggestion };
    });

interface Found {
  readonly offset: number;
  /** The path without steps into a single value that replaces a list. */
  readonly reached: Path;
  /** The spelling of a single value in the file. */
  readonly source?: string | undefined;
}

function find(document: Document, { path, at }: Finding): Found {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const [depth, step] of path.entries()) {
    const whole = isAlias(node) ? node.resolve(document) : node;
    if (isScalar(whole) && whole.value !== null) return { offset, reached: path.slice(0, depth) };
    const pair = isMap(whole)
      ? whole.items.find(({ key }) => isScalar(key) && key.value === String(step))
      : undefined;
    const item = isSeq(whole) && typeof step === 'number' ? whole.items[step] : undefined;
    node = pair ? (pair.value ?? pair.key) : item;
    if (node === undefined) break;
    offset = offsetOf(pair && at === 'key' && depth === path.length - 1 ? pair.key : node);
  }
  const last = isAlias(node) ? node.resolve(document) : node;
  return { offset, reached: path, source: isScalar(last) ? last.source : undefined };
}

export const offsetOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

/** Such as `rules[2] “production”.roles[0]`. An entry of a list gets its name, unless the name is the problem. */
function pathText(path: Path, value: unknown): string {
  let at = value;
  return path.reduce<string>((before, step) => {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined;
    if (typeof step === 'number') return `${before}[${step}]${path.at(-1) === 'name' ? '' : nameOf(at)}`;
    return before === '' ? String(step) : `${before}.${String(step)}`;
  }, '');
}

function nameOf(entry: unknown): string {
  const name: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'name') : undefined;
  return typeof name === 'string' || typeof name === 'number' ? ` “${abridged(String(name))}”` : '';
}
