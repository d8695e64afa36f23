import type { z } from 'zod';

/** JSON pointer as Slack writes it: `/blocks/0/text/text`. */
function pointer(base: string, path: readonly PropertyKey[]): string {
  return base + path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** One finding in Slack's words: `must be less than 3001 characters [json-pointer:/blocks/0/text/text]`. */
export function slackIssue(base: string, path: readonly PropertyKey[], words: string): string {
  return `${words} [json-pointer:${pointer(base, path)}]`;
}

/**
 * A schema's findings, worded like Slack's `response_metadata.messages`. @param input the parsed value, to distinguish
 * a missing field from a wrong one
 */
export function slackIssues(issues: readonly z.core.$ZodIssue[], base: string, input: unknown): string[] {
  return issues.flatMap((issue) => inWords(issue, base, input));
}

function inWords(issue: z.core.$ZodIssue, base: string, input: unknown): string[] {
  const at = (words: string) => [slackIssue(base, issue.path, words)];
  switch (issue.code) {
    case 'too_big':
      return at(tooBig(issue.origin, Number(issue.maximum)));
    case 'too_small':
      return at(tooSmall(issue.origin, Number(issue.minimum)));
    case 'unrecognized_keys':
      return issue.keys.map((key) => slackIssue(base, issue.path, `invalid additional property: ${key}`));
    case 'invalid_type':
      return valueAt(input, issue.path) === undefined
        ? [
            slackIssue(
              base,
              issue.path.slice(0, -1),
              `missing required field: ${String(issue.path.at(-1) ?? '')}`,
            ),
          ]
        : at(`must provide ${article(issue.expected)}`);
    case 'invalid_value':
      return at('must be a valid enum value');
    case 'invalid_union':
      return invalidUnion(issue, base, input);
    case 'custom':
      return at(issue.message);
    case 'invalid_format':
      return at(`must be a valid ${issue.format}`);
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      return at('is not valid');
  }
}

function invalidUnion(issue: z.core.$ZodIssueInvalidUnion, base: string, input: unknown): string[] {
  const found = valueAt(input, issue.path);
  if (issue.discriminator !== undefined)
    return found === undefined
      ? [slackIssue(base, issue.path.slice(0, -1), `missing required field: ${issue.discriminator}`)]
      : [slackIssue(base, issue.path, `unsupported type: ${JSON.stringify(found)}`)];
  const [nearest = []] = issue.errors.toSorted((one, other) => one.length - other.length);
  const inside = slackIssues(nearest, pointer(base, issue.path), found);
  return [slackIssue(base, issue.path, 'failed to match all allowed schemas'), ...inside];
}

function tooBig(origin: string, maximum: number): string {
  if (origin === 'string') return `must be less than ${maximum + 1} characters`;
  return origin === 'array' ? `no more than ${maximum} items allowed` : `must be at most ${maximum}`;
}

function tooSmall(origin: string, minimum: number): string {
  if (origin === 'string') return `must be more than ${minimum - 1} characters`;
  return origin === 'array' ? `no fewer than ${minimum} items required` : `must be at least ${minimum}`;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}
