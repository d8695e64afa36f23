import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';

import { didYouMean, nearest } from '../../command/grammar/nearest.ts';
import { decodeUtf8 } from '../environment/files.ts';
import { createLocate, type Finding, type Locate, type LocatedFinding, offsetOf } from './findings.ts';
import { keysAt, readBySchema } from './read-by-schema.ts';
import { treeProblems } from './tree-problems.ts';
import { plainFault } from './yaml-faults.ts';

/** A file as its schema reads it, with the places of whatever is found in it later; or what is wrong with it. */
export type YamlFile<T> =
  | { readonly ok: true; readonly data: T; readonly written: unknown; readonly locate: Locate }
  | { readonly ok: false; readonly findings: readonly LocatedFinding[] };

export interface FileKind<S extends z.ZodType<object>> {
  readonly schema: S;
  /**
   * What the schema cannot see. In a file that does not fit it, whatever does not is undefined: it takes a `Fitting`.
   * @param written the keys of the file
   */
  readonly check?: (read: z.output<S>, written: readonly string[]) => readonly Finding[];
  /** A file to begin with. */
  readonly example: string;
}

/**
 * Reads one YAML 1.2 document: plain data, no tags, no duplicate keys, aliases within bounds. Never throws.
 * @param label how findings call the file
 */
export function parseYamlFile<S extends z.ZodType<object>>(
  bytes: Uint8Array,
  label: string,
  { schema, check, example }: FileKind<S>,
): YamlFile<z.output<S>> {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { ok: false, findings: [fileError(label, 'is not UTF-8 text.')] };
  const lines = new LineCounter();
  const document = parse(text, lines);
  const errorAt = ({ offset, text: message, ...of }: Problem): LocatedFinding => {
    const { line, col: column } = lines.linePos(offset);
    return {
      file: label,
      line,
      column,
      path: of.path ?? '',
      severity: 'error',
      message,
      suggestion: of.suggestion,
    };
  };
  const fault = firstFault(document, text);
  const problems = fault ? [{ ...fault, fatal: true }] : treeProblems(document.contents);
  if (problems.some(({ fatal }) => fatal)) return { ok: false, findings: problems.map(errorAt) };
  const faults = [...problems, ...mendSections(document, keysAt(schema, []))].map(errorAt);
  // The tree's own bound, just checked, is the stricter one.
  const written: unknown = document.toJS({ maxAliasCount: -1 });
  if (written === null)
    return { ok: false, findings: [fileError(label, `is empty: start from ${example}.`)] };
  const { data, fitting, findings } = readBySchema(schema, written);
  const keys = typeof written === 'object' ? Object.keys(written) : [];
  const found = fitting && check ? [...findings, ...check(fitting, keys)] : findings;
  const locate = createLocate(label, document, lines, written);
  if (faults.length === 0 && found.length === 0 && data !== undefined)
    return { ok: true, data, written, locate };
  return { ok: false, findings: [...faults, ...locate(found, 'error')] };
}

/** A finding about the file as a whole: its text is the rest of a sentence that begins with the file's name. */
export const fileError = (file: string, message: string): LocatedFinding => ({
  file,
  path: '',
  severity: 'error',
  message,
});

const parse = (text: string, lineCounter: LineCounter): Document =>
  parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    // Named, so that a %YAML directive cannot bring back “yes” as true, and merge keys.
    schema: 'core',
    stringKeys: true,
    resolveKnownTags: false,
    // Its own check takes quadratic time; treeProblems looks for duplicates.
    uniqueKeys: false,
  });

interface Problem {
  readonly offset: number;
  readonly text: string;
  readonly path?: string | undefined;
  readonly suggestion?: string | undefined;
}

/** What comes after the first is mostly of its doing. */
function firstFault(document: Document, text: string): Problem | undefined {
  const faults = [...document.errors, ...document.warnings];
  // How deep the reader gets depends on the stack, so the place it names is no help.
  if (faults.some(({ code }) => code === 'RESOURCE_EXHAUSTION'))
    return { offset: 0, text: 'the file is nested too deeply.' };
  const [first] = faults.toSorted((one, other) => one.pos[0] - other.pos[0]);
  return first && { offset: first.pos[0], text: plainFault(first, document, text) };
}

/** A section whose key is misspelt is read as what was meant: what refers to it is right. */
function mendSections({ contents }: Document, sections: readonly string[]): readonly Problem[] {
  const pairs = isMap(contents) ? contents.items : [];
  const keys = pairs.flatMap(({ key }) => (isScalar<string>(key) ? [key] : []));
  const taken = new Set(keys.map(({ value }) => value));
  return keys.flatMap((key): readonly Problem[] => {
    const { value: path } = key;
    const meant = sections.includes(path) ? undefined : nearest(path, sections);
    if (meant === undefined || taken.has(meant)) return [];
    taken.add(meant);
    key.value = meant;
    const suggestion = didYouMean(path, sections, 1).trim() || undefined;
    return [{ offset: offsetOf(key), text: 'is not a key here.', path, suggestion }];
  });
}
