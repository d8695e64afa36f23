import { withEmoji } from './emoji.js';
import { parseReference, unescapeEntities } from './reference.js';

/**
 * @typedef {import('./reference.js').Reference} Reference
 * @typedef {| { kind: 'text', text: string }
 *   | { kind: 'bold' | 'italic' | 'strike' | 'code', children: Inline[] }
 *   | Reference} Inline
 * @typedef {| { kind: 'lines' | 'quote', lines: Inline[][] }
 *   | { kind: 'pre', children: Inline[] }} Paragraph
 * @typedef {{ verbatim?: boolean | undefined }} Options verbatim: bare addresses are not made links
 */

/** @type {Readonly<Record<string, 'bold' | 'italic' | 'strike'>>} */
const emphasis = { '*': 'bold', _: 'italic', '~': 'strike' };
const wordCharacter = /[\p{L}\p{N}]/u;
const bareAddress = /https?:\/\/[^\s<>|`]+/y;
const quoteMark = /^(?:>|&gt;) ?/;
const quoteRest = /^(?:>>>|&gt;&gt;&gt;)\s?/;

/**
 * Slack's mrkdwn as a tree. Emphasis needs a word's edge on either side and stays within its line, so
 * `5 * 3 * 2` and `snake_case_name` are left alone; code keeps every character but references in `<…>`.
 * @param {string} text as in a `mrkdwn` text object, escaped by `&amp;` `&lt;` `&gt;`
 * @param {Options} [options]
 * @returns {Paragraph[]}
 */
export function parseMrkdwn(text, options = {}) {
  const parts = text.split(/```((?:[^`]|`(?!``))+)```/);
  return parts.flatMap((part, index) => {
    if (index % 2 === 1) return [pre(part)];
    const before = index > 0 ? part.replace(/^\n/, '') : part;
    const inner = index < parts.length - 1 ? before.replace(/\n$/, '') : before;
    return inner === '' && parts.length > 1 ? [] : paragraphs(inner.split('\n'), options);
  });
}

/** @param {string} source @returns {Paragraph} */
function pre(source) {
  return { kind: 'pre', children: literal(source.replace(/^\n/, '').replace(/\n$/, '')) };
}

/** @param {string[]} lines @param {Options} options @returns {Paragraph[]} */
function paragraphs(lines, options) {
  /** @type {{ kind: 'lines' | 'quote', lines: Inline[][] }[]} */
  const found = [];
  let rest = false;
  for (const line of lines) {
    if (quoteRest.test(line)) rest = true;
    const kind = rest || quoteMark.test(line) ? 'quote' : 'lines';
    const bare = kind === 'lines' ? line : line.replace(quoteRest, '').replace(quoteMark, '');
    const last = found.at(-1);
    if (last?.kind === kind) last.lines.push(parseInline(bare, options));
    else found.push({ kind, lines: [parseInline(bare, options)] });
  }
  return found;
}

/**
 * One line of mrkdwn.
 * @param {string} line
 * @param {Options} [options]
 * @returns {Inline[]}
 */
function parseInline(line, options = {}) {
  /** @type {Inline[]} */
  const nodes = [];
  let plain = '';
  let at = 0;
  while (at < line.length) {
    const found = special(line, at, options);
    if (found === undefined) {
      plain += line.charAt(at);
      at += 1;
      continue;
    }
    if (plain !== '') nodes.push({ kind: 'text', text: spoken(plain) });
    plain = '';
    nodes.push(found.node);
    at = found.end;
  }
  if (plain !== '') nodes.push({ kind: 'text', text: spoken(plain) });
  return nodes;
}

/** @param {string} line @param {number} at @param {Options} options @returns {{ node: Inline, end: number } | undefined} */
function special(line, at, options) {
  const character = line.charAt(at);
  if (character === '`') return codeSpan(line, at);
  if (character === '<') return angle(line, at);
  if (emphasis[character] !== undefined) return emphasised(line, at, options);
  if (character === 'h' && options.verbatim !== true) return address(line, at);
  return undefined;
}

/** @param {string} line @param {number} at */
function codeSpan(line, at) {
  const end = line.indexOf('`', at + 1);
  if (end <= at + 1) return undefined;
  return {
    node: { kind: /** @type {const} */ ('code'), children: literal(line.slice(at + 1, end)) },
    end: end + 1,
  };
}

/** @param {string} line @param {number} at */
function angle(line, at) {
  const end = line.indexOf('>', at);
  const node = end === -1 ? undefined : parseReference(line.slice(at + 1, end));
  return node === undefined ? undefined : { node, end: end + 1 };
}

/** @param {string} line @param {number} at */
function address(line, at) {
  if (at > 0 && wordCharacter.test(line.charAt(at - 1))) return undefined;
  bareAddress.lastIndex = at;
  const typed = bareAddress.exec(line)?.[0].replace(/[.,;:!?'"*_~]+$/, '');
  const found = typed?.includes('(') ? typed : typed?.replace(/\)+$/, '');
  const node = found === undefined ? undefined : parseReference(found);
  return found === undefined || node === undefined ? undefined : { node, end: at + found.length };
}

/** @param {string} line @param {number} at @param {Options} options */
function emphasised(line, at, options) {
  const mark = line.charAt(at);
  const kind = emphasis[mark];
  const end = closing(line, at, mark);
  if (kind === undefined || end === undefined) return undefined;
  return { node: { kind, children: parseInline(line.slice(at + 1, end), options) }, end: end + 1 };
}

/** Returns the index at which the emphasis that opens at `at` closes. @param {string} line @param {number} at @param {string} mark */
function closing(line, at, mark) {
  const first = line.charAt(at + 1);
  if (wordCharacter.test(line.charAt(at - 1)) || first === '' || first === mark || /\s/.test(first))
    return undefined;
  for (let end = at + 1; end < line.length; end += 1) {
    const skipped =
      line.charAt(end) === '`'
        ? codeSpan(line, end)
        : line.charAt(end) === '<'
          ? angle(line, end)
          : undefined;
    if (skipped !== undefined) {
      end = skipped.end - 1;
      continue;
    }
    const closes =
      line.charAt(end) === mark &&
      !/\s/.test(line.charAt(end - 1)) &&
      !wordCharacter.test(line.charAt(end + 1));
    if (closes) return end;
  }
  return undefined;
}

/** The text in code: as written, except that `<…>` keeps its meaning. @param {string} source @returns {Inline[]} */
function literal(source) {
  return source.split(/(<[^<>\n]+>)/).flatMap((part) => {
    const reference = part.startsWith('<') ? parseReference(part.slice(1, -1)) : undefined;
    if (reference !== undefined) return [reference];
    return part === '' ? [] : [{ kind: /** @type {const} */ ('text'), text: unescapeEntities(part) }];
  });
}

/** @param {string} plain */
function spoken(plain) {
  return unescapeEntities(withEmoji(plain));
}
