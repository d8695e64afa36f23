/** The members that state a reason, best first. Only the first one that has words counts. */
const reasonNames = [
  'message',
  'faultstring',
  'detail',
  'error_description',
  'msg',
  'title',
  'error',
  'reason',
];
const fieldNames = ['loc', 'field', 'pointer', 'name', 'propertyPath'];
/** The members that list the problem of each field. */
const listNames = ['errors', 'invalid-params', 'invalid_params', 'violations'];
/** The members that mean nothing to people. */
const codeNames: ReadonlySet<string> = new Set(['type', 'status', 'code', 'instance', 'exception_class']);

const joined = (parts: readonly string[], mark: string): string =>
  [...new Set(parts)].filter(Boolean).join(mark);

/**
 * Returns the words of a reason in JSON: `{ "conflictingRequest": { "code": 409, "message": "…" } }` is its message, and
 * `{ "error": { "folder": ["is required"] } }` is `folder: is required`. Empty if there are none.
 */
export function wordsIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value.trim();
  if (['number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
  if (typeof value !== 'object' || value === null || depth > 5) return '';
  const inner = (each: unknown): string => wordsIn(each, depth + 1);
  if (Array.isArray(value)) return joined(value.map(inner), ', ');
  const all = new Map(Object.entries(value).map(([name, each]) => [name, inner(each)]));
  const firstOf = (names: readonly string[]) => names.map((name) => all.get(name)).find(Boolean) ?? '';
  const [reason, errors] = [firstOf(reasonNames), firstOf(listNames)];
  if (reason !== '') return joined([joined([firstOf(fieldNames), reason], ': '), errors], '; ');
  if (errors !== '') return errors;
  const rest = [...all].filter(([name, words]) => words !== '' && !codeNames.has(name));
  if (depth > 0) return rest.map(([name, words]) => `${name}: ${words}`).join('; ');
  const wrapped: unknown = rest.length === 1 && Reflect.get(value, rest[0]?.[0] ?? '');
  return typeof wrapped === 'object' && !Array.isArray(wrapped) ? inner(wrapped) : '';
}
