import { z } from 'zod';

import { mostPurgedPatterns, mostPurgedUrls } from '../../service/schemas/cdn/purge.ts';
import { abridged } from '../../command/grammar/typed-text.ts';

const longest = 500;

/** What a path and its query string may be written with: everything else has to be percent-encoded. */
const written = /^\/[\w\-.~!$&'()*+,;=:@%/?[\]]*$/u;

/** A path to purge, as typed: checked, and never rewritten. `*` makes it a pattern. */
export const purgePath = z
  .string()
  .max(longest, `is longer than ${longest} characters`)
  .check(({ value, issues }) => {
    const problem = problemOf(value);
    if (problem !== undefined) issues.push({ code: 'custom', message: problem, input: value });
  });

function problemOf(path: string): string | undefined {
  const shown = `“${abridged(path)}”`;
  if (!path.startsWith('/')) return `${shown} does not begin with “/”: give the path alone, without a host`;
  if (!written.test(path))
    return `${shown} holds a character that a path writes as %…, such as %20 for a space`;
  const plain = decoded(path);
  if (plain === undefined) return `${shown} has a “%” without two digits that make a character`;
  if (plain.split(/[/\\?]/u).some((part) => part === '.' || part === '..'))
    return `${shown} holds “.” or “..” as a part: give the path that it leads to`;
  if (/\*./u.test(path)) return `${shown} has a “*” before its end: only the last character can be one`;
  if (isPattern(path) && path.includes('?'))
    return `${shown} is a pattern with a query string, which the service ignores: it would purge more`;
  if (isPattern(path) && !/[\p{L}\p{N}]/u.test(plain)) return `${shown} is everything: give --all instead`;
  return undefined;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

export const isPattern = (path: string): boolean => path.endsWith('*');

interface Purged {
  readonly path: readonly string[];
  readonly all: boolean;
}

/** What is wrong with what is to be purged as a whole; undefined where nothing is. */
export function purgeProblem({ path, all }: Purged): string | undefined {
  const patterns = path.filter(isPattern).length;
  if (all) return path.length === 0 ? undefined : 'does not go with --all: give one or the other';
  if (path.length === 0) return 'name a path such as /css/site.css or /images/*, or give --all';
  if (patterns > 0 && patterns < path.length)
    return 'are exact or have a “*”, not both: purge the exact ones and the patterns one after the other';
  if (patterns > mostPurgedPatterns) return `are at most ${mostPurgedPatterns} with a “*” at once`;
  return path.length > mostPurgedUrls ? `are at most ${mostPurgedUrls} at once` : undefined;
}
