import type { z } from 'zod';

import { type Finding, type LocatedFinding, type Severity, suggestionFor } from './findings.ts';
import { schemaFindings } from './schema-issues.ts';
import { pathText, readYaml, type YamlSource } from './yaml-source.ts';

/** To find the place of a finding costs time; a file with more of them than this is no file of ours. */
const mostLocated = 200;

/** A file as its schema reads it, with the places of whatever is found in it later; or what is wrong with it. */
export type YamlFile<T> =
  | { readonly ok: true; readonly data: T; readonly written: unknown; readonly locate: Locate }
  | { readonly ok: false; readonly findings: readonly LocatedFinding[] };

export type Locate = (findings: readonly Finding[], severity: Severity) => readonly LocatedFinding[];

export interface FileKind<S extends z.ZodType> {
  readonly schema: S;
  /** What the schema cannot see, found in the plain value even where that does not fit the schema. */
  readonly check: (value: unknown) => readonly Finding[];
  /** A file to begin with. */
  readonly example: string;
}

/** @param label how findings call the file. Never throws */
export function parseYamlFile<S extends z.ZodType>(
  bytes: Uint8Array,
  label: string,
  { schema, check, example }: FileKind<S>,
): YamlFile<z.output<S>> {
  const text = decoded(bytes);
  if (text === undefined) return { ok: false, findings: [fileError(label, 'is not UTF-8 text.')] };
  const { problems, content } = readYaml(text);
  const faults = problems.map(({ line, column, path, message }) => {
    return { file: label, line, column, path, severity: 'error' as const, message };
  });
  if (!content) return { ok: false, findings: faults };
  if (content.value === null)
    return { ok: false, findings: [fileError(label, `is empty: start from ${example}.`)] };
  const parsed = schema.safeParse(content.value, { reportInput: true });
  const found = [...schemaFindings(parsed.error?.issues ?? []), ...check(content.value)];
  const locate = locator(label, content);
  if (faults.length === 0 && found.length === 0 && parsed.success)
    return { ok: true, data: parsed.data, written: content.value, locate };
  return { ok: false, findings: [...faults, ...locate(found, 'error')] };
}

/** A finding about the file as a whole: its text is the rest of a sentence that begins with the file's name. */
export const fileError = (file: string, message: string): LocatedFinding => ({
  file,
  path: '',
  severity: 'error',
  message,
});

const locator =
  (file: string, { locate, value }: NonNullable<YamlSource['content']>): Locate =>
  (findings, severity) =>
    findings.map((finding, index) => {
      if (index >= mostLocated)
        return { file, severity, path: pathText(finding.path, value), message: finding.text };
      return { file, severity, ...locate(finding), suggestion: suggestionFor(finding) };
    });

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
