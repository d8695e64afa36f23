import { isSeq, visit, type Document, type Scalar, type YAMLError } from 'yaml';

const badAlias = 'text cannot start with * or &; put it in quotes.';
const noTags = 'tags (!…) are not used here; write the plain value.';
const needsColon = 'a key must be followed by a colon and a space, on one line.';

const plain: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  MULTIPLE_DOCS: 'the file has more than one document; keep one.',
  TAG_RESOLVE_FAILED: noTags,
  MULTIPLE_TAGS: noTags,
  BAD_DIRECTIVE: 'lines that start with % are not used here; delete this one.',
  NON_STRING_KEY: 'a key must be one word or text, not a list or a mapping.',
  KEY_OVER_1024_CHARS: 'this key is longer than 1024 characters.',
  TAB_AS_INDENT: 'tabs cannot indent; use spaces.',
  BAD_SCALAR_START: 'text cannot start with this character; put it in quotes.',
  BAD_DQ_ESCAPE: 'within "…" a \\ starts an escape; write \\\\, or use single quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'two keys cannot share a line; put text with a colon in quotes.',
  BLOCK_IN_FLOW: 'within […] and {…} entries are separated by commas, and a mapping needs braces of its own.',
  BAD_ALIAS: badAlias,
  ALIAS_PROPS: badAlias,
  MULTIPLE_ANCHORS: badAlias,
  BAD_PROP_ORDER: badAlias,
};

/** Returns what to fix, by the error code and, if that code is ambiguous, by the text at the position. */
export function plainFault({ code, pos: [at] }: YAMLError, document: Document, text: string): string {
  const { open, inBrackets, inBlock } = surroundings(at, document, text);
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const rest = text.slice(at);
  const said = plain[code];
  if (said !== undefined) return said;
  if (open === 'quote') return 'a quote is not closed.';
  if (open === 'bracket')
    return 'a bracket before this is not closed, or what is inside it is not indented further than its key.';
  if (code === 'MULTILINE_IMPLICIT_KEY')
    return inBrackets
      ? 'within […] and {…} an entry takes no “-”; separate entries with commas.'
      : needsColon;
  if (code === 'BAD_INDENT') {
    if (/^-\s/u.test(rest)) return 'the entries of this list must start in the same column.';
    return /^ *[^\s#-][^\n]*:(?:\s|$)/u.test(rest)
      ? 'this key must start in the same column as the keys next to it.'
      : 'this line is not indented like the lines around it.';
  }
  if (code === 'MISSING_CHAR') {
    if (rest.startsWith('#')) return 'a space is missing before the #.';
    if (inBrackets)
      return before.endsWith(':') ? 'a space is missing after the colon.' : 'a comma is missing before this.';
    if (rest.startsWith(' '))
      return 'this is in a list, but neither starts an entry with “-” nor lines up with one.';
    if (before.trim() === '' && !inBlock && /^[^&!]/u.test(rest)) return needsColon;
  }
  if (code === 'UNEXPECTED_TOKEN') {
    if (/^[\]}]/u.test(rest)) return 'this bracket closes nothing; delete it, or open it before.';
    if (/[|>][-+\d]* *$/u.test(before)) return 'after | or >, the text starts on the next line.';
    if (!inBrackets && !/^[:-]\s/u.test(rest))
      return 'the value ended before this; put all of it in quotes, or start a new line in the right column.';
  }
  return 'this cannot be read; compare this line and the one before with bellhop.example.yaml.';
}

function surroundings(at: number, document: Document, text: string) {
  let open: 'bracket' | 'quote' | undefined;
  let inBrackets = false;
  let inBlock = false;
  const isClosed = ([start = 0, end = 0]: readonly number[], by: string): boolean =>
    end > at || (end - start > 1 && by.includes(text.charAt(end - 1)));
  visit(document, {
    Collection(_, node) {
      const range = node.range ?? [];
      const [start = 0, end = 0] = range;
      if (node.flow !== true) return;
      inBrackets ||= start < at && at < end;
      if (!isClosed(range, isSeq(node) ? ']' : '}')) open ??= 'bracket';
    },
    Scalar(_, { type, range }: Scalar) {
      const [start = 0, end = 0] = range ?? [];
      inBlock ||= type?.startsWith('BLOCK') === true && start <= at && at <= end;
      if (type?.startsWith('QUOTE') && !isClosed(range ?? [], `'"`)) open = 'quote';
    },
  });
  return { open, inBrackets, inBlock };
}
