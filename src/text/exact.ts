declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): unknown;
  }
}

/** Sixteen digits of a number, spelled out: V8 skips ahead in the text for them, but not for `\d{16}`. */
const longNumber = /(?<![".\w])\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/u;

/**
 * Parses JSON from outside. An integer beyond ±(2⁵³−1) becomes a BigInt, because a number would be a different integer.
 * An integer of over 308 digits stays text.
 * @param large what such an integer becomes instead of a BigInt
 * @throws SyntaxError
 */
export function parseExactJson(text: string, large: (digits: string) => unknown = BigInt): unknown {
  const json = text.replace(/^\uFEFF/u, '');
  // A reviver takes nine times as long, and only integers of 16 digits and more can be inexact.
  if (!longNumber.test(json)) {
    const value: unknown = JSON.parse(json);
    return value;
  }
  return JSON.parse(json, (_key, value, { source = '' }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const [, integer] = /^(-?\d+)(?:\.0+)?$/u.exec(source) ?? [];
    if (integer === undefined) return value;
    return Number.isFinite(value) ? large(integer) : source;
  });
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the JSON of a request, with every BigInt as an integer. @throws TypeError for a value that JSON can't express */
export const exactJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'number' && !Number.isFinite(part)) throw new TypeError(`JSON has no ${part}`);
    return typeof part === 'bigint' ? JSON.rawJSON(String(part)) : part;
  });

export const isNumberText = (text: string): text is `${number}` =>
  /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(text);

/** Makes the formatter on first use, because the first one loads 10 MB of language data, which takes 15 ms. */
export function formatter(options: Intl.NumberFormatOptions): (value: number | `${number}`) => string {
  let made: Intl.NumberFormat | undefined;
  return (value) => (made ??= new Intl.NumberFormat('en-US', options)).format(value);
}

const plain = formatter({ maximumFractionDigits: 100 });

/** Returns the number that a text states, or undefined if the text is not a number or a number cannot hold all its digits. */
export function exactNumber(text: string): number | undefined {
  if (!isNumberText(text)) return undefined;
  const number = Number(text);
  const isExact = String(number) === text || (Number.isFinite(number) && plain(text) === plain(number));
  return isExact ? number : undefined;
}
