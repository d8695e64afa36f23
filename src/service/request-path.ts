import { BellhopError } from '../model/errors.ts';

/** The names between braces of a path template. */
export type PathParameters<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/**
 * Fills a path template; each value becomes exactly one encoded segment.
 * @throws BellhopError `bad-input` where a value is empty or could be taken for a way to another path.
 */
export function requestPath<Template extends string>(
  template: Template,
  values: Readonly<Record<PathParameters<Template>, string | number>>,
): string {
  let path: string = template;
  for (const [name, value] of Object.entries<string | number>(values)) {
    path = path.replace(`{${name}}`, () => segment(name, value));
  }
  return path;
}

function segment(name: string, value: string | number): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return String(value);
    throw badSegment(name, 'takes a whole number, 0 or more');
  }
  if (value.trim() === '') throw badSegment(name, 'is missing');
  if (!value.isWellFormed()) throw badSegment(name, 'holds half a character');
  if (climbs(value) || climbs(percentDecoded(value))) {
    throw badSegment(name, 'may not hold "." or ".." as a part of a path');
  }
  return encodeURIComponent(value);
}

// Proxies on the way may decode %2F before they resolve dots, so dots count on either side of any slash.
function climbs(value: string): boolean {
  return value.split(/[/\\]/).some((part) => part === '.' || part === '..');
}

function percentDecoded(value: string): string {
  return value.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\');
}

function badSegment(name: string, problem: string): BellhopError {
  return new BellhopError('bad-input', `${name} ${problem}. Nothing was sent.`);
}
