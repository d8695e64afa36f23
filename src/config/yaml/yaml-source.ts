import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';

import { abridged } from '../../command/grammar/typed-text.ts';
import type { Finding, LocatedFinding, Path } from './findings.ts';
import { plainFault } from './yaml-faults.ts';

/** Something wrong at a place of a YAML file. Lines and columns begin at 1. */
type YamlProblem = Pick<LocatedFinding, 'line' | 'column' | 'path' | 'message'>;

export interface YamlSource {
  readonly problems: readonly YamlProblem[];
  /** Absent where the file could not be read at all. */
  readonly content?: {
    readonly value: unknown;
    readonly locate: (finding: Finding) => YamlProblem;
  };
}

/** Reads one YAML 1.2 document: plain data, no tags, no duplicate keys, aliases within bounds. Never throws. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const at = (offset: number, what: string): YamlProblem => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, path: '', message: what };
  };
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // Named, so that a %YAML directive cannot bring back “yes” as true, and merge keys.
    schema: 'core',
    stringKeys: true,
    resolveKnownTags: false,
    // Its own check takes quadratic time; treeProblems looks for duplicates.
    uniqueKeys: false,
  });
  const faults = [...document.errors, ...document.warnings];
  // How deep the reader gets depends on the stack, so the place it names is no help.
  if (faults.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    return { problems: [at(0, 'the file is nested too deeply.')] };
  }
  if (faults.length > 0) {
    // What comes after the first is mostly of its doing.
    const [first] = faults.toSorted((one, other) => one.pos[0] - other.pos[0]);
    return { problems: first ? [at(first.pos[0], plainFault(first))] : [] };
  }
  const misfits = treeProblems(document.contents);
  const problems = misfits.map((misfit) => at(misfit.offset, misfit.text));
  if (misfits.some(({ fatal }) => fatal)) return { problems };
  // The tree's own bound, just checked, is the stricter one.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const locate = ({ path, at: part = 'value', text: what }: Finding): YamlProblem => {
    const { offset, reached } = find(document, path, part);
    return { ...at(offset, what), path: pathText(reached, value) };
  };
  return { problems, content: { value, locate } };
}

interface Found {
  readonly offset: number;
  /** The path without steps into a single value that stands where a list may stand. */
  readonly reached: Path;
}

/** Where the path leads, or as far along it as the file goes. */
function find(document: Document, path: Path, part: 'key' | 'value'): Found {
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
    offset = offsetOf(pair && part === 'key' && depth === path.length - 1 ? pair.key : node);
  }
  return { offset, reached: path };
}

const offsetOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

const isNode = (node: unknown): node is Node => isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);

/** `rules[2] “production”.roles[0]`: an entry of a list goes by its name, too, unless that is what is wrong. */
export function pathText(path: Path, value: unknown): string {
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

const mostNodes = 300_000;
const mostAliases = 1000;
const deepest = 32;

interface TreeProblem {
  readonly offset: number;
  readonly text: string;
  /** The tree cannot be turned into values. */
  readonly fatal: boolean;
}

interface Walk {
  /** What an alias means at this point of the document. */
  readonly anchors: Map<string, Node>;
  readonly open: Set<Node>;
  readonly weights: Map<Node, number>;
  readonly problems: TreeProblem[];
  aliases: number;
}

/**
 * What makes a well-formed tree unfit to be read: duplicate keys, a key that JavaScript treats as its own, aliases
 * that lead into themselves or multiply into more than 300,000 values, more than 32 levels. Takes linear time,
 * which the checks of the YAML library itself do not; nor does it resolve aliases in it, hence at most 1,000.
 */
function treeProblems(root: Node | null): readonly TreeProblem[] {
  const walk: Walk = { anchors: new Map(), open: new Set(), weights: new Map(), problems: [], aliases: 0 };
  const weight = root ? weigh(walk, root, 0) : 0;
  if (weight > mostNodes) {
    return tooMuch(`the file has more than ${mostNodes} values when its aliases (*…) are written out.`);
  }
  if (walk.aliases > mostAliases) return tooMuch(`the file has more than ${mostAliases} aliases (*…).`);
  return walk.problems;
}

const tooMuch = (text: string): readonly TreeProblem[] => [{ offset: 0, text, fatal: true }];

/** The number of values that a node stands for, aliases written out. Each node is visited once, in order. */
function weigh(walk: Walk, node: Node, depth: number): number {
  const known = walk.weights.get(node);
  if (known !== undefined) return known;
  if (walk.open.has(node)) return refuse(walk, node, 'this alias leads into itself.');
  if (depth > deepest) return refuse(walk, node, `this is nested more than ${deepest} levels deep.`);
  if (!isAlias(node) && node.anchor !== undefined) walk.anchors.set(node.anchor, node);
  walk.open.add(node);
  const weight = children(walk, node).reduce((sum, child) => sum + weigh(walk, child, depth + 1), 1);
  walk.open.delete(node);
  walk.weights.set(node, weight);
  return weight;
}

function children(walk: Walk, node: Node): readonly Node[] {
  if (isAlias(node)) {
    walk.aliases += 1;
    const source = walk.anchors.get(node.source);
    if (source) return [source];
    refuse(walk, node, `nothing is named &${node.source} before this alias.`);
    return [];
  }
  if (isSeq<Node>(node)) return node.items;
  if (!isMap<Node, Node | null>(node)) return [];
  checkKeys(
    walk,
    node.items.map(({ key }) => key),
  );
  return node.items.flatMap(({ value }) => (value ? [value] : []));
}

function checkKeys(walk: Walk, keys: readonly Node[]): void {
  const seen = new Set<unknown>();
  for (const key of keys) {
    if (!isScalar(key)) continue;
    if (key.value === '__proto__') refuse(walk, key, '“__proto__” cannot be used as a key.');
    if (seen.has(key.value)) refuse(walk, key, 'this key is here twice; keep one of them.', false);
    seen.add(key.value);
  }
}

function refuse(walk: Walk, node: Node, text: string, fatal = true): number {
  walk.problems.push({ offset: node.range?.[0] ?? 0, text, fatal });
  return 1;
}
