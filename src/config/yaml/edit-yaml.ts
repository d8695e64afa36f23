import { isNode, parseDocument } from 'yaml';

import type { Path } from '../../model/rulebook/finding.ts';

export interface Edit {
  readonly path: Path;
  readonly text: string;
}

/** Every other byte stays, comments and layout included. */
export function editYaml(source: string, edits: readonly Edit[]): string {
  const document = parseDocument(source);
  const ranges = edits.map(({ path, text }) => {
    const node = document.getIn(path, true);
    const [from, to] = (isNode(node) ? node.range : undefined) ?? [0, 0];
    // The range of a block includes the line breaks after it.
    return { from, to: from + source.slice(from, to).trimEnd().length, text };
  });
  return replaceRanges(source, ranges);
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** @param ranges that do not overlap, in any order */
export const replaceRanges = (source: string, ranges: readonly Range[]): string =>
  ranges
    .toSorted((one, other) => other.from - one.from)
    .reduce((text, range) => text.slice(0, range.from) + range.text + text.slice(range.to), source);
