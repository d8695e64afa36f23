import { parseAst } from 'rolldown/parseAst';
import { z } from 'zod';

/**
 * Words that code compares, such as states and events. They are data although they have a space. No text for people is
 * among them.
 */
const vocabulary = new Set([
  'awaiting approval',
  'denied approval',
  'ignored click',
  'review closed',
  'alert firing',
  'alert resolved',
  'policy loaded',
  'policy rejected',
  'log adopted',
  'store set back',
  'entries missing',
  'step missing',
  'start missing',
  'not held',
  'on its way',
  'signed in',
  'not in the file',
  'unknown target',
  // The message of pg about a server without TLS.
  'does not support SSL',
  // A scheme of the Authorization header.
  'Basic',
]);

/**
 * Letters of other scripts that have capitals, as many as ours, one code unit each. So a reworded text keeps its
 * length.
 */
const alphabets = [
  { small: 0x4_30, capital: 0x4_10 },
  { small: 0x5_61, capital: 0x5_31 },
  { small: 0x10_d0, capital: 0x1c_90 },
] as const;

const signs = [['⚠', '☢']] as const;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
}

/** Checks without zod, which takes five times as long for the million values of the sources. */
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'start' in value &&
  typeof value.start === 'number' &&
  'end' in value &&
  typeof value.end === 'number';

/**
 * Rewords a module: every text with a space, and every label of one word, reads otherwise, and no two places spell it
 * alike. The code works as before if it uses no text as data.
 */
export function reword(source: string): string {
  let reworded = source;
  const texts = textsIn(parseAst(source, { lang: 'ts' })).toSorted((one, other) => other.start - one.start);
  for (const { start, end } of texts)
    reworded =
      reworded.slice(0, start) +
      respelled(source.slice(start, end), source.length + start) +
      reworded.slice(end);
  return reworded;
}

/** The positions of the texts, without quotes. */
function textsIn(program: unknown): { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isNode(value)) return;
    if (value.type === 'TaggedTemplateExpression' || value.type.startsWith('TS')) {
      if (!isTransparent.has(value.type)) return;
    }
    if (isWordList(value)) return;
    if (isText(value)) found.push({ start: value.start + 1, end: value.end - 1 });
    if (value.type === 'TemplateLiteral') found.push(...quasis(value));
    Object.values(value).forEach(visit);
  };
  visit(program);
  return found;
}

const splitText = z.object({
  callee: z.object({
    property: z.object({ name: z.literal('split') }),
    object: z.object({ type: z.literal('Literal') }),
  }),
});

/** Whether a text is split at once, so that it is a list of words and not prose. */
const isWordList = (value: Node): boolean =>
  value.type === 'CallExpression' && splitText.safeParse(value).success;

/** The types of nodes that only wrap an expression in types. */
const isTransparent = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

/** Whether a text has a space, or is one word with a capital like a label. */
const isProse = (text: string): boolean =>
  (/[a-z]/iu.test(text) && /\s|⚠/u.test(text) && !formats.some((format) => format.test(text))) ||
  (/^[A-Z][a-z]+[….:?]?$/u.test(text) && !protocolWords.has(text));

const formats = [
  // HTTP.
  /^(?:\w+\/[\w.+-]+; ?charset=|Bearer |apikey )/u,
  /^(?:(?:default-src|style-src|form-action|base-uri|frame-ancestors) '|Path=\/; )|; Max-Age=/u,
  // CSS.
  /^\n:root /u,
  // SQL and the options of PostgreSQL.
  /^(?:[\w.]+ as \w+|is not|not in|for update skip locked|repeatable read|read only|-c \w+=\w+)$/u,
  /^(?:pragma|begin|savepoint|release savepoint|rollback to savepoint) /u,
  // The line by which the tests know that the bot has started.
  /^Bellhop is ready/u,
];

/** Of HTTP. */
const protocolWords = new Set(['Bearer', 'Connection']);

function isText({ type, value }: Node): boolean {
  return type === 'Literal' && typeof value === 'string' && isProse(value) && !vocabulary.has(value);
}

const template = z.object({
  quasis: z.array(
    z.looseObject({ start: z.number(), end: z.number(), value: z.object({ raw: z.string() }) }),
  ),
});

function quasis(literal: Node): { readonly start: number; readonly end: number }[] {
  const parts = template.parse(literal).quasis;
  if (!isProse(parts.map(({ value }) => value.raw).join(''))) return [];
  return parts.map(({ start, end, value: { raw } }) => {
    // Parsers differ in whether the quotes belong to the node.
    const margin = end - start === raw.length ? 0 : 1;
    return { start: start + margin, end: start + margin + raw.length };
  });
}

/** Parts that stay: escapes, text between angle brackets and braces, which Slack reads, and code in backticks. */
const kept = /\\(?:u\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|.)|<[^>]*>?|\{[^}]*\}?|[a-z]|⚠/giu;

function respelled(text: string, place: number): string {
  // Each letter has its own alphabet, because two places with the same alphabet would agree.
  let seed = Math.imul(place, 0x9e_37_79_b1) >>> 0;
  return text.replaceAll(kept, (part) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const { small, capital } = alphabets[(seed >>> 16) % alphabets.length] ?? alphabets[0];
    const sign = signs.find(([ours]) => ours === part);
    if (sign) return sign[1];
    if (!/^[a-z]$/iu.test(part)) return part;
    const code = part.charCodeAt(0);
    return String.fromCharCode(code >= 97 ? small + code - 97 : capital + code - 65);
  });
}

/** The original text. */
export function plain(text: string): string {
  let read = text;
  for (const { small, capital } of alphabets)
    for (const [first, ours] of [
      [small, 97],
      [capital, 65],
    ] as const) {
      const letters = new RegExp(`[\\u{${first.toString(16)}}-\\u{${(first + 25).toString(16)}}]`, 'gu');
      read = read.replaceAll(letters, (letter) => String.fromCharCode(letter.charCodeAt(0) - first + ours));
    }
  for (const [ours, other] of signs) read = read.replaceAll(other, ours);
  return read;
}
