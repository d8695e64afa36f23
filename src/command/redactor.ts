import type { ReportParts } from '../model/values/report.ts';
import { escapeEntities, mapValues } from '../text/words.ts';

const shown = '••••';
const shortestSecret = 4;
const maxSecrets = 200;
const shortestLine = 12;
const shortestCore = 8;
/** Shorter values may be ordinary words, such as a password that is also part of a host name. */
const shortestTold = 12;

export interface Redactor {
  /** Hides this value from now on. Values shorter than 4 characters are ignored, because they would blank ordinary words. */
  learn(secret: string): void;
  /** Replaces every learnt value in the text, including escaped and encoded forms. */
  redact(text: string): string;
  /** Returns whether the text contains a learnt value of at least 12 characters as a whole word, escaped or not. */
  holds(text: string): boolean;
}

/**
 * Remembers the latest 200 secrets, which is more than rotation ever needs. Hides them in text, whether plain, JSON-,
 * URL- or HTML-escaped, or in base64. Each line of a private key is hidden by itself, too.
 */
export function createRedactor(): Redactor {
  const learnt = new Map<string, readonly string[]>();
  let forms: readonly string[] = [];
  return {
    learn(secret) {
      if (secret.length < shortestSecret || learnt.has(secret)) return;
      learnt.set(secret, formsOf(secret));
      for (const oldest of learnt.keys()) {
        if (learnt.size <= maxSecrets) break;
        learnt.delete(oldest);
      }
      forms = [...new Set([...learnt.values()].flat())].toSorted((one, other) => other.length - one.length);
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
        ([secret, its]) => secret.length >= shortestTold && its.some((form) => standsIn(text, form)),
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

function formsOf(secret: string): readonly string[] {
  const lines = secret
    .split(/\r?\n/u)
    .filter((line) => line.length >= shortestLine && !line.startsWith('-----') && line !== secret);
  return [secret, ...lines].flatMap((value) =>
    [value, inJson(value), inJson(inJson(value)), escapeEntities(value)].concat(
      inUrl(value),
      inBase64(value),
    ),
  );
}

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);

function inUrl(value: string): readonly string[] {
  const component = encodeURIComponent(value.toWellFormed());
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  return [component, form].flatMap((encoded) => [
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
export function redactReport(parts: ReportParts, mask: (text: string) => string): unknown {
  const { csv, ...rest } = parts;
  const text = JSON.stringify(rest);
  const masked = mask(text) === text ? rest : redactTexts(rest, mask);
  if (csv === undefined || typeof masked !== 'object') return masked;
  const { fileName, columns } = csv;
  return {
    ...masked,
    csv: {
      fileName,
      columns,
      get rows() {
        return redactTexts(csv.rows, mask);
      },
    },
  };
}

export function redactTexts(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactTexts(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return mapValues<unknown, unknown>({ ...value }, (part) => redactTexts(part, mask));
}
