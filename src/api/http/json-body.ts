import type { Accepted } from '../accepted.ts';

/** The JSON of an accepted answer. @throws ServiceError where it is empty or not JSON. */
export function jsonBody(accepted: Accepted): unknown {
  if (accepted.body.length === 0) throw accepted.refuse('it is empty');
  try {
    return JSON.parse(accepted.body.toString());
  } catch {
    // The parser's own message repeats a piece of the body, so it goes nowhere.
    throw accepted.refuse('it is not JSON');
  }
}

/** @throws ServiceError where the body is not a JSON object. */
export function jsonObject(accepted: Accepted): Readonly<Record<string, unknown>> {
  const json = jsonBody(accepted);
  if (!isObject(json)) throw accepted.refuse('it is not an object');
  return json;
}

export function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
