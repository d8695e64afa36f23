import type { YAMLError } from 'yaml';

type Fault = Pick<YAMLError, 'code' | 'message'>;

/** What the YAML library says of each mistake, in the words of somebody who edits the file. The first that fits counts. */
const faults: readonly (readonly [fault: RegExp, text: string])[] = [
  [/^MULTIPLE_DOCS/u, 'the file holds more than one document; keep one.'],
  [/^TAG_RESOLVE_FAILED|^MULTIPLE_TAGS/u, 'tags (!…) are not used here; write the plain value.'],
  [/^BAD_DIRECTIVE/u, 'lines that begin with % are not used here; delete this one.'],
  [/^NON_STRING_KEY/u, 'a key must be one word or text, not a list or a mapping.'],
  [/^KEY_OVER_1024_CHARS/u, 'this key is longer than 1024 characters.'],
  [/^TAB_AS_INDENT/u, 'tabs cannot indent; use spaces.'],
  [/^BAD_INDENT.*sequence items/u, 'the entries of this list must begin in the same column.'],
  [/^BAD_INDENT.*mapping items/u, 'this key must begin in the same column as the keys beside it.'],
  [
    /end with a (?:\]|\})/u,
    'a bracket before this is not closed, or what is inside it is not indented further than its key.',
  ],
  [/^BAD_INDENT/u, 'this line is not indented as the lines around it.'],
  [/^BAD_SCALAR_START/u, 'text cannot begin with this character; put it in quotes.'],
  [/^BAD_DQ_ESCAPE/u, 'within "…" a \\ begins an escape; write \\\\, or use single quotes.'],
  [/Missing closing/u, 'a quote is not closed.'],
  [/Missing ,/u, 'a comma is missing before this.'],
  [/Missing space after :/u, 'a space is missing after the colon.'],
  [/Comments must be separated/u, 'a space is missing before the #.'],
  [
    /without - indicator/u,
    'this stands in a list, but neither begins an entry with “-” nor lines up with one.',
  ],
  [
    /Implicit map keys need|Implicit keys need/u,
    'a key must be followed by a colon and a space, on one line.',
  ],
  [/Implicit keys of flow/u, 'within […] and {…} an entry takes no “-”; separate entries with commas.'],
  [/^BLOCK_AS_IMPLICIT_KEY/u, 'two keys cannot share a line; put text with a colon in quotes.'],
  [
    /^BLOCK_IN_FLOW/u,
    'within […] and {…} entries are separated by commas, and a mapping needs braces of its own.',
  ],
  [
    /^BAD_ALIAS|^ALIAS_PROPS|^MULTIPLE_ANCHORS|^BAD_PROP_ORDER|anchors must be/u,
    'text cannot begin with * or &; put it in quotes.',
  ],
  [/Block scalar header/u, 'after | or > the text begins on the next line.'],
  [/flow-(?:seq|map)-end/u, 'this bracket closes nothing; delete it, or open it before.'],
  [
    /at node end/u,
    'the value ended before this; put all of it in quotes, or begin a new line in the right column.',
  ],
];

/** A sentence that says what to mend. */
export function plainFault({ code, message }: Fault): string {
  const found = faults.find(([fault]) => fault.test(`${code}: ${message}`));
  return found?.[1] ?? 'this cannot be read; compare this line and the one before with bellhop.example.yaml.';
}
