import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';

const mostNodes = 300_000;
const mostAliases = 1000;
const deepest = 32;

export interface TreeProblem {
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
export function treeProblems(root: Node | null): readonly TreeProblem[] {
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
