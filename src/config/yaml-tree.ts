import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from 'yaml';

const mostNodes = 100_000;
const deepest = 32;

export interface TreeProblem {
  readonly offset: number;
  readonly text: string;
}

interface Walk {
  readonly document: Document;
  readonly open: Set<Node>;
  readonly weights: Map<Node, number>;
  readonly problems: TreeProblem[];
}

/**
 * What makes a well-formed tree unfit to be read: aliases that lead into themselves or multiply into more than
 * 100,000 values, more than 32 levels, and a key that JavaScript treats as its own.
 */
export function treeProblems(document: Document): readonly TreeProblem[] {
  const walk: Walk = { document, open: new Set(), weights: new Map(), problems: [] };
  const weight = document.contents ? weigh(walk, document.contents, 0) : 0;
  if (weight > mostNodes && walk.problems.length === 0) {
    walk.problems.push({
      offset: 0,
      text: `the file has more than ${mostNodes} values when its aliases (*…) are written out.`,
    });
  }
  return walk.problems;
}

/** The number of values that a node stands for, aliases written out. Each node is visited once. */
function weigh(walk: Walk, node: Node, depth: number): number {
  const known = walk.weights.get(node);
  if (known !== undefined) return known;
  if (depth > deepest) return refuse(walk, node, `this is nested more than ${deepest} levels deep.`);
  if (walk.open.has(node)) return refuse(walk, node, 'this alias leads into itself.');
  walk.open.add(node);
  const weight = children(walk, node).reduce((sum, child) => sum + weigh(walk, child, depth + 1), 1);
  walk.open.delete(node);
  walk.weights.set(node, weight);
  return weight;
}

function children(walk: Walk, node: Node): readonly Node[] {
  if (isAlias(node)) {
    const source = node.resolve(walk.document);
    if (source) return [source];
    refuse(walk, node, `nothing is named &${node.source} before this alias.`);
    return [];
  }
  if (isSeq<Node>(node)) return node.items;
  if (!isMap<Node, Node | null>(node)) return [];
  for (const { key } of node.items) {
    if (isScalar(key) && key.value === '__proto__') refuse(walk, key, '“__proto__” cannot be used as a key.');
  }
  return node.items.flatMap(({ value }) => (value ? [value] : []));
}

function refuse(walk: Walk, node: Node, text: string): number {
  walk.problems.push({ offset: node.range?.[0] ?? 0, text });
  return 1;
}
