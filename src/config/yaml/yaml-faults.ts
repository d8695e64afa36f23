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
  BLOCK_IN_FLOW: 'within […] and {…}, separate entries with commas, and put each mapping in braces.',
  BAD_ALIAS: badAlias,
  ALIAS_PROPS: badAlias,
  MULTIPLE_ANCHORS: badAlias,
  BAD_PROP_ORDER: badAlias,
};

/** If the error code is ambiguous, the text at the position decides. */
export function plainFault({ code, pos: [at] }: YAMLError, document: Document, text: string): string {
  const { open, inBrackets, inBlock } = surroundings(at, document, text);
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const rest = text.slice(at);
  const said = plain[code];
  if (said !== undefined) return said;
  if (open === 'quote') return 'a quote is not closed.';
  if (open === 'bracket')
    return 'a bracket before this is not closed, or the text inside it is not indented more than its key.';
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
  return 'this cannot be read; compare this line and the one before with examples/bellhop.example.yaml.';
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

/** Spaces that YAML does not treat as spaces, and invisible characters. Emoji contain U+200D. */
const unseen =
  /[^\S\t\n\r ]|[\x85\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff]/gu;
/** Replaces each of these characters by a non-breaking space, which the patterns below search for. */
const marked = (text: string): string => text.replaceAll(unseen, '\xa0');
const inKey = /\xa0/u;
/** Such a character at either end of a value, or next to a character that has a meaning in YAML. */
const inValue = /^\xa0|(?:^-|[:,])\xa0|\xa0(?=#|$)/mu;
const quotedOrComment = /"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|(?<=^|\s)#.*$/gmu;
/** French puts such a space between words and before `:`. */
const onFaultyLine = /(?<![\p{L}\p{N}])\xa0|\xa0(?![\p{L}\p{N}])/u;

export interface Unseen {
  readonly offset: number;
  readonly text: string;
}

/** @param part of `text`, from `start` */
function firstUnseen(text: string, part: string, start: number, pattern: RegExp): Unseen | undefined {
  const searched = marked(part);
  const found = searched.search(pattern);
  if (found < 0) return undefined;
  const offset = start + searched.indexOf('\xa0', found);
  const character = text.charAt(offset);
  const code = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  const isSpace = /\p{Zs}/u.test(character);
  const name =
    code === 'U+00A0' ? 'a non-breaking space' : `an ${isSpace ? 'unusual space' : 'invisible character'}`;
  const todo = isSpace ? 'replace it with a plain space' : 'delete it';
  return { offset, text: `${name} (${code}) is here; ${todo}, or put the text in quotes.` };
}

/** A character that people take for a space, or do not see, counts where it changes what the file says. */
export function unseenIn(text: string, { range, type }: Scalar, isKey: boolean): Unseen | undefined {
  const [start = 0, end = 0] = range ?? [];
  if (type !== 'PLAIN') return undefined;
  return firstUnseen(text, text.slice(start, end), start, isKey ? inKey : inValue);
}

/** On the line of a fault, or on the line before. */
export function unseenBefore(text: string, at: number): Unseen | undefined {
  const from = text.lastIndexOf('\n', text.lastIndexOf('\n', at - 1) - 1) + 1;
  const end = text.indexOf('\n', at);
  const lines = text
    .slice(from, end < 0 ? undefined : end)
    .replaceAll(quotedOrComment, (part) => '_'.repeat(part.length));
  return firstUnseen(text, lines, from, onFaultyLine);
}
