import { z } from 'zod';

/** Dashes that keyboards, chat clients and documents put in the place of hyphens. */
export const dashes = '‐‑‒–—―−﹘﹣－';

const beginsWithDash = new RegExp(`^-?[${dashes}]`, 'u');

/** Quotes a word that would otherwise not be parsed back as the same word. */
export function quoteWord(word: string): string {
  if (word !== '' && !/[\s"'`´″＂＇„‚「『《〈〝\p{Pi}\p{Pf}]/u.test(word) && !beginsWithDash.test(word))
    return word;
  const escaped = word.replaceAll(/(?<!\\)(\\*)(?:(["“”])|$)/gu, (_, run: string, quote?: string) =>
    quote === undefined ? run + run : `${run}${run}\\${quote}`,
  );
  return `"${escaped}"`;
}

/** A comma after a backslash belongs to its item. Drops empty items. */
export function splitItems(typed: string): readonly string[] {
  const items: string[] = [];
  let item = '';
  for (const [index, part] of typed.split(/((?<!\\)\\*,)/u).entries()) {
    if (index % 2 === 0) {
      item += part;
      continue;
    }
    const backslashes = part.length - 1;
    item += '\\'.repeat(Math.floor(backslashes / 2));
    if (backslashes % 2 === 1) item += ',';
    else {
      items.push(item);
      item = '';
    }
  }
  return [...items, item].map((each) => each.trim()).filter((each) => each !== '');
}

/** Escapes an item so that `splitItems` returns the same item. */
export const itemText = (item: string): string =>
  item.replaceAll(/(?<!\\)(\\*),/gu, (_, backslashes: string) => `${backslashes}${backslashes}\\,`);

/** For `z.string().transform`. Rejects text for which `read` returns undefined. */
export const readAs =
  <T>(read: (text: string) => T | undefined, message: string) =>
  (text: string, context: z.RefinementCtx<string>): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };

/** For an error that repeats typed text. Counts whole characters. */
export function abridged(typed: string, most = 40): string {
  const start = Array.from(typed.slice(0, 2 * most + 2));
  return start.length > most ? `${start.slice(0, most).join('')}…` : typed;
}

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const longestDays = 3660;

/** For example `15m` or `1d12h`, as milliseconds. Undefined if invalid, zero or more than ten years. */
export function readDuration(text: string): number | undefined {
  if (!/^(?:\d{1,6}[smhdw])+$/u.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d{1,6})([smhdw])/gu))
    total += Number(count) * (units[unit ?? ''] ?? 0);
  return total > 0 && total <= longestDays * 86_400_000 ? total : undefined;
}

/** Returns `5m` for `5 minutes`. Undefined for any other text. */
export function shortDuration(text: string): string | undefined {
  const [, count, unit = ''] =
    /^(\d{1,6})\s*(s(?:ec\w*)?|m(?:in\w*)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?)$/iu.exec(text.trim()) ??
    [];
  return count && `${count}${unit.charAt(0).toLowerCase()}`;
}

/** Durations that a text may mean: `5m` for `5 minutes`, and `5m` or `5h` for `5`. */
export function likelyDurations(text: string): readonly string[] {
  const short = shortDuration(text);
  return short !== undefined ? [short] : /^\d+$/u.test(text) ? [`${text}m`, `${text}h`] : [];
}

/** For example `less than 1 s`, `24 s` or `3 min 5 s`. */
export function tookText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return 'less than 1 s';
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export const durationText = z
  .string()
  .trim()
  .max(40, 'is too long: a duration has at most 40 characters')
  .transform(readAs(readDuration, `must be a duration such as 15m, 2h or 7d, at most ${longestDays}d`));

const forms = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];

/** For example `2026-12-24T19:00Z`, as epoch milliseconds. Undefined for a time that has no zone or does not exist. */
export const readMoment = (text: string): number | undefined =>
  forms.some((form) => form.safeParse(text).success) ? Date.parse(text) : undefined;

const escape = '\u001B';
const terminalCodes = new RegExp(
  `${escape}\\[[\\d;:?]*[A-Za-z]|${escape}\\][^\u0007${escape}]*(?:\u0007|${escape}\\\\)`,
  'gu',
);

export const withoutColours = (text: string): string => text.replaceAll(terminalCodes, '');

/** For functions of a library that throw for unusable text or files. */
export function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** At its first use. Then releases `make` and the memory that it holds. */
export function lazily<T>(make: () => T): () => T {
  let state: { readonly make: () => T } | { readonly value: T } = { make };
  return () => {
    if ('make' in state) state = { value: state.make() };
    return state.value;
  };
}

/** For `await using`, which closes it at the end of the block. */
export const closing = <T extends { close(): Promise<void> }>(opened: T): T & AsyncDisposable =>
  Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() });

/** An IANA name, `UTC`, or an offset such as `+01:00`. Undefined for other text. */
export const readZone = (text: string): string | undefined =>
  orUndefined(() => new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone);

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * In lower case, for comparison. The Kelvin sign is replaced, because its lower case is the ASCII letter k, which would make two addresses
 * equal.
 */
export const nameOnSchedule = (text: string): string =>
  text.trim().replaceAll('\u212A', '\uFFFD').normalize('NFC').toLowerCase();

/** For example `1 rule` or `2 rules`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** At most `max` UTF-16 units, ending with `…` if cut. Surrogate pairs stay whole. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Like `clip`, but keeps the end, because long names often differ only there. */
export function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.slice(-Math.floor(max / 2)).replace(/^[\uDC00-\uDFFF]/, '');
  return clip(text, max - end.length) + end;
}

/** At most `most` UTF-16 units. Undefined for empty text. */
export function cut(text: string | undefined, most: number): string | undefined {
  const whole = text?.toWellFormed().trim() ?? '';
  return whole === '' ? undefined : clip(whole, most);
}

/** Returns one line of at most `longest` UTF-16 units, without control or text-direction characters. */
export const clipLine = (text: string, longest: number): string =>
  clip(
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    longest,
  );

/** Undefined if the text is not JSON. */
export const parseJson = (text: string): unknown => orUndefined((): unknown => JSON.parse(text));

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes the characters that begin or end markup in HTML and in Slack's mrkdwn. */
export const escapeEntities = (text: string): string =>
  text.replaceAll(/[&<>]/gu, (character) => entities[character] ?? character);

/** As many of the first pieces as fit, joined. */
export function joinFitting(pieces: readonly string[], separator: string, most: number): string {
  let all = '';
  for (const piece of pieces) {
    const longer = all === '' ? piece : all + separator + piece;
    if (longer.length > most) break;
    all = longer;
  }
  return all;
}

/** Joins the sentences that are not empty. Returns undefined if all are. */
export const sentences = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.filter((part) => part !== undefined && part !== '').join(' ') || undefined;

/** For example `web-1, web-2 and web-3`. */
export const listed = (names: readonly string[], word = 'and'): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(` ${word} `);

/** For example `“leads”, “managers” or “owners”`. */
export const quotedOr = (names: readonly string[]): string =>
  listed(
    names.map((name) => `“${name}”`),
    'or',
  );

/** For example `web-1, web-2, web-3 and 4 more`. */
export function someNames(names: readonly string[], most = 3, count = names.length): string {
  const shown = names.slice(0, most).join(', ');
  return count > most ? `${shown} and ${(count - most).toLocaleString('en')} more` : shown;
}

/** For example `a and b`, or `a, b, c and 4 more`. */
export function someOf(names: Iterable<string>, most = 3): string {
  const all = [...names];
  return all.length > most + 1 ? someNames(all, most) : listed(all);
}

/** The query has people's search words. */
export const withoutQuery = (path: string): string => path.split('?', 1).join('');

/** Normalizes to lower case, and UUIDs to the form with dashes, because services also write them without dashes, or in braces. */
export function canonicalId(id: string): string {
  const lower = id.toLowerCase().replaceAll(/^urn:uuid:|^\{|\}$/gu, '');
  if (id.length < 32) return lower;
  const digits = lower.replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/u.test(digits)) return lower;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id);

type Named = Readonly<Record<string, { readonly id: string }>>;

/** Cached for each list, because a list never changes and may have thousands of entries. */
const namesById = new WeakMap<Named, ReadonlyMap<string, string>>();

/** However the id is spelled. */
export function nameOfId(named: Named, id: string): string | undefined {
  let names = namesById.get(named);
  if (names === undefined) {
    names = new Map(Object.entries(named).map(([name, entry]) => [canonicalId(entry.id), name]));
    namesById.set(named, names);
  }
  return names.get(canonicalId(id));
}

export const mapValues = <T, U>(
  values: Readonly<Record<string, T>>,
  to: (value: T, name: string) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value, name)]));
