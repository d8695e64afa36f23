import { z } from 'zod';

import { decodeUtf8, readSmallFile } from '../../program/files.ts';
import { fileError, type Included, openYamlFile } from './yaml-file.ts';

/**
 * JSON is read much faster than YAML. A file with a mistake is read again as YAML, which gives findings a line and a column. Never throws.
 * @param label the file's name in findings
 */
export function includeJson(key: string, path: string, label: string, maxBytes: number): Included {
  const file = readSmallFile(path, maxBytes);
  const broken = (message: string): Included => ({
    key,
    path,
    bytes: 'bytes' in file ? file.bytes : file.code,
    findings: [fileError(label, message)],
    locate: () => [],
  });
  if ('problem' in file) return broken(`${file.problem}: give the path of a JSON file.`);
  const { bytes } = file;
  const text = decodeUtf8(bytes);
  if (text === undefined) return broken('is not UTF-8 text.');
  const kind = { schema: z.looseObject({}), example: 'examples/bellhop.example.yaml' };
  let yaml: ReturnType<typeof openYamlFile> | undefined;
  const asYaml = () => (yaml ??= openYamlFile(bytes, label, kind));
  try {
    const value: unknown = JSON.parse(text);
    const findings = isPlain(value, text) ? [] : asYaml().findings;
    return { key, path, bytes, findings, value, locate: (...given) => asYaml().locate(...given) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return broken(`is not valid JSON (${why.slice(0, 200)}).`);
  }
}

/** Larger files are read as YAML, which has bounds of its own. */
const [deepest, mostParts] = [30, 250_000];

/** Whether the file has no duplicate keys, no invisible characters and no deep nesting. */
function isPlain(value: unknown, text: string): boolean {
  let [keys, parts] = [0, 0];
  const isPlainPart = (part: unknown, depth: number): boolean => {
    parts += 1;
    if (depth > deepest || parts > mostParts) return false;
    if (typeof part === 'string') return !/\p{C}/u.test(part);
    if (typeof part !== 'object' || part === null) return true;
    const entries = Object.entries(part);
    if (!Array.isArray(part)) keys += entries.length;
    return entries.every(
      ([name, inside]) => name !== '__proto__' && isPlainPart(name, depth) && isPlainPart(inside, depth + 1),
    );
  };
  return isPlainPart(value, 0) && keys === keysIn(text);
}

/** The number of keys as written. In valid JSON, only a key is text before a colon. */
function keysIn(text: string): number {
  let [keys, isText] = [0, false];
  for (const [found] of text.matchAll(/\\.|"\s*:|"/gsu)) {
    if (found.startsWith('\\')) continue;
    if (isText && found.endsWith(':')) keys += 1;
    isText = !isText;
  }
  return keys;
}
