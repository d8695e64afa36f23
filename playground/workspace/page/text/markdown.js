import { lexer } from 'marked';
import { withEmoji } from './emoji.js';
import { safeUrl } from './safe-url.js';

/**
 * @typedef {import('./mrkdwn.js').Inline} Inline
 * @typedef {import('marked').Token} Token
 * @typedef {import('marked').MarkedToken} MarkedToken
 * @typedef {| { kind: 'heading', level: number, children: Inline[] }
 *   | { kind: 'paragraph' | 'quote', lines: Inline[][] }
 *   | { kind: 'list', ordered: boolean, start: number, items: Inline[][] }
 *   | { kind: 'table', rows: Inline[][][] }
 *   | { kind: 'pre', text: string }
 *   | { kind: 'rule' }} MarkdownPart
 */

/** @type {ReadonlySet<string>} */
const standardTypes = new Set(
  'blockquote br checkbox code codespan def del em escape heading hr html image link list list_item paragraph space strong table text'.split(
    ' ',
  ),
);

/** Extensions would bring other tokens; none is installed. @param {Token} token @returns {token is MarkedToken} */
const isStandard = (token) => standardTypes.has(token.type);

/** @param {string} words @returns {Inline} */
const text = (words) => ({ kind: 'text', text: words });

/** @param {string} address @param {string} label @returns {Inline} */
function linkTo(address, label) {
  const url = safeUrl(address);
  return url === undefined ? text(label) : { kind: 'link', url, label };
}

/** The words of tokens within a line; HTML in them stays text. @param {readonly Token[]} tokens @returns {Inline[]} */
function inline(tokens) {
  return tokens.filter(isStandard).flatMap((token) => {
    switch (token.type) {
      case 'text':
        return token.tokens ? inline(token.tokens) : text(withEmoji(token.text));
      case 'escape':
        return text(token.text);
      case 'br':
        return text('\n');
      case 'codespan':
        return { kind: 'code', children: [text(token.text)] };
      case 'strong':
        return { kind: 'bold', children: inline(token.tokens) };
      case 'em':
        return { kind: 'italic', children: inline(token.tokens) };
      case 'del':
        return { kind: 'strike', children: inline(token.tokens) };
      case 'link':
      case 'image':
        return linkTo(token.href, token.text);
      case 'paragraph':
      case 'heading':
        return inline(token.tokens);
      case 'blockquote':
      case 'checkbox':
      case 'code':
      case 'def':
      case 'hr':
      case 'html':
      case 'list':
      case 'list_item':
      case 'space':
      case 'table':
        return text(token.raw);
    }
  });
}

/** Slack begins a line wherever the source does. @param {readonly Token[]} tokens @returns {Inline[][]} */
function lines(tokens) {
  /** @type {Inline[][]} */
  const found = [[]];
  for (const node of inline(tokens)) {
    const [first = '', ...rest] = node.kind === 'text' ? node.text.split('\n') : [];
    if (node.kind !== 'text') found.at(-1)?.push(node);
    else if (first !== '') found.at(-1)?.push(text(first));
    for (const line of rest) found.push(line === '' ? [] : [text(line)]);
  }
  return found.filter((line) => line.length > 0);
}

/** An item and the items below it, in order: Slack draws one level. @param {readonly Token[]} tokens @returns {Inline[][]} */
function items(tokens) {
  const own = tokens.filter((token) => token.type !== 'list');
  const below = tokens.filter(isStandard).flatMap((token) => (token.type === 'list' ? token.items : []));
  return [inline(own), ...below.flatMap((item) => items(item.tokens))];
}

/** @param {MarkedToken} token @returns {MarkdownPart[]} */
function part(token) {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'code':
      return [{ kind: 'pre', text: token.text }];
    case 'heading':
      return [{ kind: 'heading', level: token.depth, children: inline(token.tokens) }];
    case 'blockquote':
      return [{ kind: 'quote', lines: token.tokens.flatMap((inner) => lines([inner])) }];
    case 'list': {
      const all = token.items.flatMap((item) => items(item.tokens));
      return [{ kind: 'list', ordered: token.ordered, start: Number(token.start) || 1, items: all }];
    }
    case 'table': {
      const rows = [token.header, ...token.rows].map((row) => row.map((cell) => inline(cell.tokens)));
      return [{ kind: 'table', rows }];
    }
    case 'br':
    case 'checkbox':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'html':
    case 'image':
    case 'link':
    case 'list_item':
    case 'paragraph':
    case 'strong':
    case 'text':
      return [{ kind: 'paragraph', lines: lines([token]) }];
  }
}

/**
 * The safe part of standard markdown that Slack's `markdown` block draws; HTML in it stays text.
 * @param {string} source
 * @returns {MarkdownPart[]}
 */
export const parseMarkdown = (source) => lexer(source).filter(isStandard).flatMap(part);
