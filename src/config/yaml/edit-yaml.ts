import { isNode, parseDocument } from 'yaml';

import type { Path } from '../../model/rulebook/finding.ts';

/** The YAML text that takes the place of a value. */
export interface Edit {
  readonly path: Path;
  readonly text: string;
}

/** Replaces values of a valid YAML text. Every other byte stays, comments and layout included. */
export function editYaml(source: string, edits: readonly Edit[]): string {
  const document = parseDocument(source);
  const places = edits.map(({ path, text }) => {
    const node = document.getIn(path, true);
    const [from, to] = (isNode(node) ? node.range : undefined) ?? [0, 0];
    // The range of a block includes the line breaks after it.
    return { from, to: from + source.slice(from, to).trimEnd().length, text };
  });
  return places
    .toSorted((one, other) => other.from - one.from)
    .reduce((text, place) => text.slice(0, place.from) + place.text + text.slice(place.to), source);
}
