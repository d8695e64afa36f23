import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type Scalar } from 'yaml';

import { type Deprecated, deprecatedKeys } from '../../model/deprecated.ts';
import { replaceRanges } from './edit-yaml.ts';

interface Found {
  readonly key: Scalar<string>;
  readonly of: Deprecated;
  /** Whether the new name exists, too. */
  readonly isTwice: boolean;
}

/** Values behind aliases are found where they are written. */
export function findDeprecated({ contents }: Document, known: readonly Deprecated[]): readonly Found[] {
  return known.flatMap((of) => {
    const steps = of.name.replaceAll('[]', '.[]').split('.');
    return pairsAt(contents, steps).flatMap(({ pair, beside }) =>
      isScalar<string>(pair.key) ? { key: pair.key, of, isTwice: beside.includes(of.instead) } : [],
    );
  });
}

interface PairAt {
  readonly pair: Pair;
  readonly beside: readonly unknown[];
}

function pairsAt(node: unknown, [step = '', ...rest]: readonly string[]): readonly PairAt[] {
  // A list with one item may be written as this item.
  if (step === '[]') return (isSeq(node) ? node.items : [node]).flatMap((item) => pairsAt(item, rest));
  if (!isMap(node)) return [];
  const beside = node.items.map(({ key }) => (isScalar(key) ? key.value : undefined));
  const pairs = node.items.filter((_, at) => step === '<name>' || beside[at] === step);
  if (rest.length === 0) return pairs.map((pair) => ({ pair, beside }));
  return pairs.flatMap(({ value }) => pairsAt(value, rest));
}

/** Every other byte stays, comments included. */
export function withoutDeprecated(source: string, known = deprecatedKeys): string {
  const found = findDeprecated(parseDocument(source), known).filter(({ isTwice }) => !isTwice);
  return replaceRanges(
    source,
    found.map(({ key, of }) => ({ from: key.range?.[0] ?? 0, to: key.range?.[1] ?? 0, text: of.instead })),
  );
}
