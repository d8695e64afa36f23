import type { ReportParts } from '../model/values/report.ts';
import { escapeEntities, mapValues, orUndefined, parseJson } from '../text/words.ts';

const shown = '••••';
const shortestSecret = 4;
const maxSecrets = 200;
/**
 * The first secrets, up to this many, are never forgotten. They include those of the configuration, which are learnt at
 * the start.
 */
const lastingSecrets = 100;
const shortestLine = 12;
const shortestCore = 8;
const shortestPart = 8;
const maxParts = 100;
/** Shorter values may be ordinary words, such as a password that is also part of a host name. */
const shortestTold = 12;

export type MaskText = (text: string) => string;

export interface Redactor {
  /** Hides this value from now on. Values shorter than 4 characters are ignored, because they would blank ordinary words. */
  learn(secret: string): void;
  /** Replaces every learnt value in the text, including escaped and encoded forms. */
  redact(text: string): string;
  /** Returns whether the text contains a whole learnt value of at least 12 characters as a word, escaped or not. */
  holds(text: string): boolean;
}

/**
 * Remembers the first 100 secrets and the latest 100, which is more than rotation ever needs. Hides them in text, whether
 * plain, JSON-, URL- or HTML-escaped, or in base64. Each line of a private key is hidden by itself, too, and so are the
 * parts of at least 8 characters of JSON, a connection string or `user:password`.
 */
export function createRedactor(): Redactor {
  const learnt = new Map<string, { readonly whole: readonly string[]; readonly parts: readonly string[] }>();
  let forms: readonly string[] = [];
  return {
    learn(secret) {
      if (secret.length < shortestSecret || learnt.has(secret)) return;
      learnt.set(secret, { whole: formsOf([secret, ...linesOf(secret)]), parts: formsOf(partsOf(secret)) });
      const [oldest = secret] = [...learnt.keys()].slice(lastingSecrets);
      if (learnt.size > maxSecrets) learnt.delete(oldest);
      const all = [...learnt.values()].flatMap(({ whole, parts }) => whole.concat(parts));
      forms = [...new Set(all)].toSorted((one, other) => other.length - one.length);
    },
    redact(text) {
      let masked = text;
      for (const form of forms) {
        if (masked.includes(form)) masked = masked.replaceAll(form, shown);
      }
      return masked;
    },
    holds: (text) =>
      [...learnt].some(
        ([secret, { whole }]) => secret.length >= shortestTold && whole.some((form) => standsIn(text, form)),
      ),
  };
}

function standsIn(text: string, form: string): boolean {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + form.length)];
    if (!partOfWord.test(before) && !partOfWord.test(after)) return true;
  }
  return false;
}

const partOfWord = /[\p{L}\p{N}_-]/u;

const linesOf = (secret: string): readonly string[] =>
  secret
    .split(/\r?\n/u)
    .filter((line) => line.length >= shortestLine && !line.startsWith('-----') && line !== secret);

const formsOf = (values: readonly string[]): readonly string[] =>
  values.flatMap((value) =>
    [value, inJson(inJson(value)), escapeEntities(value), inAttribute(value)].concat(
      inJsonOfOthers(value),
      inUrl(value),
      inBase64(value),
    ),
  );

/** A value may end at the next `;`, `,` or `&`, be in quotes, or contain an `@` before the host. */
const endings = [/^(.*)/su, /^["'](.*?)["']/u, /^([^\s;,&]*)/u, /^([^\s;,&@]*)/u, /^(.*)@/u];

const partsOf = (secret: string): readonly string[] =>
  [...new Set(membersOf(secret))].filter((part) => part.length >= shortestPart).slice(0, maxParts);

/** A token in the path of a webhook or a private calendar. */
const isToken = (segment: string): boolean => segment.length >= 15 && /[\dA-Z]/u.test(segment);

/**
 * Returns the parts of a secret that are hidden by themselves, too: the members of JSON, the login, tokens, query and
 * fragment of a URL, the credentials after `Bearer` or `Basic`, the login that base64 stands for, the lines of a key,
 * and otherwise what follows each `:` or `=`.
 */
function membersOf(secret: string, depth = 0): readonly string[] {
  if (depth >= 5) return [];
  const inside = (texts: readonly string[]) =>
    texts.flatMap((text) => [text, ...linesOf(text), ...membersOf(text, depth + 1)]);
  const json = parseJson(secret);
  if (typeof json === 'object' && json !== null)
    return inside(
      Object.values(json).map((one: unknown) => (typeof one === 'string' ? one : JSON.stringify(one))),
    );
  const url = URL.parse(secret);
  if (url?.host) {
    const tokens = url.pathname.split('/').filter(isToken);
    const hash = [...new URLSearchParams(url.hash.slice(1)).values()];
    const values = [url.username, url.password, ...url.searchParams.values(), ...tokens, ...hash];
    return values.flatMap((value) => [value, orUndefined(() => decodeURIComponent(value)) ?? '']);
  }
  const [, credentials] = /^(?:basic|bearer|bot|token)\s+(\S+)$/iu.exec(secret.trim()) ?? [];
  if (credentials !== undefined) return inside([credentials]);
  const login = /^[\w+/-]{12,}={0,2}$/u.test(secret) ? Buffer.from(secret, 'base64').toString() : '';
  if (login.includes(':') && /^[ -~]+$/u.test(login)) return inside([login]);
  return [...secret.matchAll(/[:=]/gu)].slice(0, maxParts).flatMap(({ index }) => {
    const rest = secret.slice(index + 1).trim();
    return endings.map((ending) => ending.exec(rest)?.[1] ?? '');
  });
}

const inAttribute = (value: string): string =>
  escapeEntities(value).replaceAll('"', '&quot;').replaceAll("'", '&#39;');

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);

/** The letters that Python, Go, Gson and .NET write as `\\u0026`; PHP also escapes slashes. */
const escaped = [/[^ -~]/gu, /[<>&]/gu, /[<>&=']/gu, /[^ -~]|['`<>&+]/gu];

const inUnits = (letters: string): string =>
  letters
    .split('')
    .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

const inJsonOfOthers = (value: string): readonly string[] =>
  [inJson(value), ...escaped.map((letters) => inJson(value).replaceAll(letters, inUnits))].flatMap((form) => [
    form,
    form.replaceAll('/', '\\/'),
    form.replaceAll(/\\u[\da-f]{4}/gu, (unit) => `\\u${unit.slice(2).toUpperCase()}`),
  ]);

function inUrl(value: string): readonly string[] {
  const component = encodeURIComponent(value.toWellFormed());
  const strict = component.replaceAll(
    /[!'()*]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  return [component, strict, form, strict.replaceAll('%20', '+')].flatMap((encoded) => [
    encoded,
    encoded.replaceAll(/%[0-9A-F]{2}/gu, (escape) => escape.toLowerCase()),
  ]);
}

/** Returns the base64 of the value alone and within a longer text, where the base64 depends on the offset modulo 3. */
function inBase64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const alone = bytes.toString('base64').replace(/(?<!=)=+$/u, '');
  const inside = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const shared = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(Math.ceil((offset * 8) / 6), shared);
    return core.length < shortestCore ? [] : [core];
  });
  return [alone, ...inside].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** Most reports hold no secret, so the whole report is searched once before any part is replaced. */
export function redactReport(parts: ReportParts, mask: MaskText): unknown {
  const { csv, ...rest } = parts;
  const text = JSON.stringify(rest);
  const masked = mask(text) === text ? rest : redactTexts(rest, mask);
  if (csv === undefined || typeof masked !== 'object') return masked;
  return {
    ...masked,
    csv: {
      fileName: mask(csv.fileName),
      columns: csv.columns.map((column) => mask(column)),
      get rows() {
        return redactTexts(csv.rows, mask);
      },
    },
  };
}

export function redactTexts(value: unknown, mask: MaskText): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactTexts(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return mapValues<unknown, unknown>({ ...value }, (part) => redactTexts(part, mask));
}
