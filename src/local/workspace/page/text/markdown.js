import { withEmoji } from './emoji.js';
import { safeUrl } from './safe-url.js';

/**
 * @typedef {import('./mrkdwn.js').Inline} Inline
 * @typedef {| { kind: 'heading', level: number, children: Inline[] }
 *   | { kind: 'paragraph' | 'quote', lines: Inline[][] }
 *   | { kind: 'list', ordered: boolean, start: number, items: Inline[][] }
 *   | { kind: 'table', rows: Inline[][][] }
 *   | { kind: 'pre', text: string }
 *   | { kind: 'rule' }} MarkdownPart
 */

/** @type {readonly [RegExp, (found: RegExpExecArray) => Inline][]} */
const inlineForms = [
  [/^(`+)(.+?)\1(?!`)/, (found) => ({ kind: 'code', children: [plain((found[2] ?? '').trim())] })],
  [/^\\([\\`*_~[\](){}#+\-.!>|])/, (found) => plain(found[1] ?? '')],
  [/^!?\[([^\]]*)\]\((\S+?)(?:\s+"[^"]*")?\)/, (found) => linkTo(found[2] ?? '', found[1] ?? '')],
  [/^<((?:https?|mailto):[^\s>]+)>/, (found) => linkTo(found[1] ?? '', found[1] ?? '')],
  [/^https?:\/\/[^\s<>)\]]+[^\s<>)\].,;:!?]/, (found) => linkTo(found[0], found[0])],
  [/^(\*\*|__)(?=\S)(.+?)(?<=\S)\1/, (found) => ({ kind: 'bold', children: markdownInline(found[2] ?? '') })],
  [/^~~(?=\S)(.+?)(?<=\S)~~/, (found) => ({ kind: 'strike', children: markdownInline(found[1] ?? '') })],
  [/^\*(?=\S)([^*]+?)(?<=\S)\*/, (found) => ({ kind: 'italic', children: markdownInline(found[1] ?? '') })],
  [
    /^_(?=\S)([^_]+?)(?<=\S)_(?!\w)/,
    (found) => ({ kind: 'italic', children: markdownInline(found[1] ?? '') }),
  ],
];

/** @param {string} text @returns {Inline} */
function plain(text) {
  return { kind: 'text', text };
}

/** @param {string} address @param {string} label @returns {Inline} */
function linkTo(address, label) {
  const url = safeUrl(address);
  return url === undefined ? plain(label) : { kind: 'link', url, label };
}

/**
 * The words of one line of standard markdown.
 * @param {string} line
 * @returns {Inline[]}
 */
export function markdownInline(line) {
  /** @type {Inline[]} */
  const nodes = [];
  let words = '';
  let at = 0;
  while (at < line.length) {
    const rest = line.slice(at);
    const inWord = /\w/.test(line.charAt(at - 1)) && rest.startsWith('_');
    const form = inWord ? undefined : inlineForms.find(([pattern]) => pattern.test(rest));
    const found = form?.[0].exec(rest);
    if (form === undefined || found === undefined || found === null) {
      words += line.charAt(at);
      at += 1;
      continue;
    }
    if (words !== '') nodes.push(plain(withEmoji(words)));
    words = '';
    nodes.push(form[1](found));
    at += found[0].length;
  }
  return words === '' ? nodes : [...nodes, plain(withEmoji(words))];
}

/** @param {string} line */
function cells(line) {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => markdownInline(cell.trim()));
}

/** Which kind of part a line belongs to. @param {string} line */
function kindOf(line) {
  if (/^\s*$/.test(line)) return 'blank';
  if (/^#{1,6}\s/.test(line)) return 'heading';
  if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) return 'rule';
  if (line.startsWith('>')) return 'quote';
  if (/^\s*[-*+]\s/.test(line)) return 'bullets';
  if (/^\s*\d+[.)]\s/.test(line)) return 'numbers';
  return /^\s*\|.*\|\s*$/.test(line) ? 'table' : 'paragraph';
}

/** @param {string} kind @param {string[]} lines @returns {MarkdownPart[]} */
function part(kind, lines) {
  const [first = ''] = lines;
  const inner = (/** @type {RegExp} */ mark) => lines.map((line) => markdownInline(line.replace(mark, '')));
  if (kind === 'blank') return [];
  if (kind === 'rule') return lines.map(() => ({ kind: 'rule' }));
  if (kind === 'heading') {
    return lines.map((line) => ({
      kind: 'heading',
      level: line.search(/[^#]/),
      children: markdownInline(line.replace(/^#+\s+/, '')),
    }));
  }
  if (kind === 'quote') return [{ kind: 'quote', lines: inner(/^>\s?/) }];
  if (kind === 'bullets') return [{ kind: 'list', ordered: false, start: 1, items: inner(/^\s*[-*+]\s+/) }];
  if (kind === 'numbers') {
    return [
      { kind: 'list', ordered: true, start: Number.parseInt(first, 10), items: inner(/^\s*\d+[.)]\s+/) },
    ];
  }
  if (kind === 'table') {
    return [{ kind: 'table', rows: lines.filter((line) => !/^[\s|:-]+$/.test(line)).map(cells) }];
  }
  return [{ kind: 'paragraph', lines: inner(/^\s+/) }];
}

/**
 * The safe part of standard markdown that Slack's `markdown` block draws; HTML in it stays text.
 * @param {string} source
 * @returns {MarkdownPart[]}
 */
export function parseMarkdown(source) {
  return source.split(/^```[^\n]*\n([\s\S]*?)^```[ \t]*$/m).flatMap((text, index) => {
    if (index % 2 === 1) return [{ kind: /** @type {const} */ ('pre'), text: text.replace(/\n$/, '') }];
    /** @type {{ kind: string, lines: string[] }[]} */
    const runs = [];
    for (const line of text.split('\n')) {
      const kind = kindOf(line);
      const last = runs.at(-1);
      if (last?.kind === kind) last.lines.push(line);
      else runs.push({ kind, lines: [line] });
    }
    return runs.flatMap(({ kind, lines }) => part(kind, lines));
  });
}
